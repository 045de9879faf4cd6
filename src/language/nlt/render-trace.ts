/** Where the output of one rendering comes from, as its writers tell. */
import type { TextOrigin } from './tree.js';

/**
 * From `rendered` in the output on: `source` is the offset in the source. What `isText` runs on side by side with the
 * source; the rest is of a value, or was made of what stands there.
 */
export interface RenderedPiece {
  readonly rendered: number;
  readonly source: number;
  readonly isText: boolean;
}

/** Pieces of one rendering; what follows the last counts as part of it. */
const MOST_PIECES = 200_000;

/** Gathers the pieces of one rendering in their order. */
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
    if (length >= MOST_PIECES) return;
    this.pieces.push({ rendered, source, isText: isText && length < MOST_PIECES - 1 });
  }
}
