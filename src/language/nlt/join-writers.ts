/** Writers of a rendering: static texts with a value between every two of them. */
import type { RenderState } from './render-context.js';
import type { TextNode, TextOrigin } from './tree.js';

export type Writer = (state: RenderState) => string;

/**
 * From this number of values on, one join of all pieces is faster than concatenation, since the result is needed as one
 * flat string.
 */
const MIN_VALUES_TO_JOIN = 8;

/** Writes `texts` with a value between every two of them. */
export function joinWriters(texts: readonly string[], writers: readonly Writer[]): Writer {
  const [first = ''] = texts;
  const pairs = writers.map((write, index) => ({ write, text: texts[index + 1] ?? '' }));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (pairs.length === 0) return (state) => state.emit(first);
  if (pairs.length < MIN_VALUES_TO_JOIN) {
    return (state) => {
      state.countOutput(length);
      let text = first;
      for (const pair of pairs) text += pair.write(state) + pair.text;
      return text;
    };
  }
  return (state) => {
    state.countOutput(length);
    const pieces = [first];
    for (const pair of pairs) pieces.push(pair.write(state), pair.text);
    return pieces.join('');
  };
}

/** The origins of the parts of a text that starts `before` characters after the start of the output. */
export function originsOf({ text, position, origins }: TextNode, before: number): TextOrigin[] {
  if (text === '') return [];
  const ownOrigins = origins ?? [{ at: 0, source: position.offset, isExact: true }];
  return ownOrigins.map((origin) => ({ ...origin, at: before + origin.at }));
}

/** Writes a value whose expression is at `source`; only traced renderings record origins. */
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
