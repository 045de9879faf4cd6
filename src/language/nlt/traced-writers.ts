/**
 * Rendering that tells where its output comes from: each stretch of text and each value with its place in the source.
 * Only who asks for a trace is given these writers; renderings of messages pay nothing for it.
 */
import type { Writer } from './joined-writers.js';
import type { RenderState } from './render-context.js';
import type { TextNode, TextOrigin } from './tree.js';

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

/** Where the parts of a text stand, `before` characters behind the beginning of what is written. */
export function originsOf({ text, position, origins }: TextNode, before: number): TextOrigin[] {
  if (text === '') return [];
  const own = origins ?? [{ at: 0, source: position.offset, isExact: true }];
  return own.map((origin) => ({ ...origin, at: before + origin.at }));
}

/** Writes a value that stands at `source`. */
export function tracedValue(write: Writer, source: number): Writer {
  return (state) => {
    const text = write(state);
    state.trace?.addValue(source, text.length);
    return text;
  };
}

/** Writes `texts` with a value between each two of them, in the order in which they are shown. */
export function tracedJoin(
  texts: readonly string[],
  origins: readonly (readonly TextOrigin[])[],
  writers: readonly Writer[],
): Writer {
  const writeText = (index: number, state: RenderState): string => {
    const text = texts[index] ?? '';
    state.trace?.addText(origins[index] ?? [], text.length);
    return state.written(text);
  };
  return (state) => {
    const pieces = [writeText(0, state)];
    for (const [index, write] of writers.entries()) pieces.push(write(state), writeText(index + 1, state));
    return pieces.join('');
  };
}
