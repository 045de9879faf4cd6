/**
 * Writers that record the origin of their output: each range of text and each value with its position in the source.
 * Only traced renderings use them; renderings of messages have no overhead.
 */
import type { Writer } from './join-writers.js';
import type { RenderState } from './render-context.js';
import type { TextNode, TextOrigin } from './tree.js';

/** The origins of the parts of a text that starts `before` characters after the start of the output. */
export function originsOf({ text, position, origins }: TextNode, before: number): TextOrigin[] {
  if (text === '') return [];
  const ownOrigins = origins ?? [{ at: 0, source: position.offset, isExact: true }];
  return ownOrigins.map((origin) => ({ ...origin, at: before + origin.at }));
}

/** Writes a value whose expression is at `source`. */
export function tracedValue(write: Writer, source: number): Writer {
  return (state) => {
    const text = write(state);
    state.trace?.addValue(source, text.length);
    return text;
  };
}

/** Writes `texts` with a value between every two of them, in output order. */
export function joinTracedWriters(
  texts: readonly string[],
  origins: readonly (readonly TextOrigin[])[],
  writers: readonly Writer[],
): Writer {
  const writeText = (index: number, state: RenderState): string => {
    const text = texts[index] ?? '';
    state.trace?.addText(origins[index] ?? [], text.length);
    return state.emit(text);
  };
  return (state) => {
    const pieces = [writeText(0, state)];
    for (const [index, write] of writers.entries()) pieces.push(write(state), writeText(index + 1, state));
    return pieces.join('');
  };
}
