/** Maps the output of one rendering to its source, as recorded by the writers. */
import type { TextOrigin } from './tree.js';

/**
 * Starts at `rendered` in the output: `source` is the offset in the source. If `isText`, output and source match
 * character for character; otherwise the piece is a value, or was generated from the source at that position.
 */
export interface RenderedPiece {
  readonly rendered: number;
  readonly source: number;
  readonly isText: boolean;
}

/** Maximum pieces of one rendering; everything after the last counts as part of it. */
const MAX_PIECES = 200_000;

/** Collects the pieces of one rendering in their order. */
export class RenderTrace {
  readonly pieces: RenderedPiece[] = [];
  private length = 0;

  addText(origins: readonly TextOrigin[], length: number): void {
    for (const { at, source, isExact } of origins) this.add(this.length + at, source, isExact);
    this.length += length;
  }

  addValue(source: number, length: number): void {
    if (length > 0) this.add(this.length, source, false);
    this.length += length;
  }

  private add(rendered: number, source: number, isText: boolean): void {
    const { length } = this.pieces;
    if (length >= MAX_PIECES) return;
    this.pieces.push({ rendered, source, isText: isText && length < MAX_PIECES - 1 });
  }
}
