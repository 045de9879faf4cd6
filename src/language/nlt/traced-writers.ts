/**
 * Rendering that tells where its output comes from: each stretch of text and each value with its place in the source.
 * Only who asks for a trace is given these writers; renderings of messages pay nothing for it.
 */
import type { Writer } from './joined-writers.js';
import type { RenderState } from './render-context.js';
import type { TextNode, TextOrigin } from './tree.js';

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
