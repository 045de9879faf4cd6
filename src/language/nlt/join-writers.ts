/** Joins the pieces of a rendering: static texts with a value between every two of them. */
import type { RenderState } from './render-context.js';

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
