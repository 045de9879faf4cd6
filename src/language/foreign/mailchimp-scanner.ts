/**
 * Finds merge tags (`*|FNAME|*`) and the marks of Mailchimp's editor (`mc:edit="…"`), in linear time.
 *
 * Edge case: a `*|` is text if it has no end, if another one precedes the end, or if the end is more than
 * MAX_FOREIGN_BLOCK_LENGTH characters away.
 */
import { characterAt } from '../nlt/entities.js';
import { MAX_FOREIGN_BLOCK_LENGTH } from './foreign-limits.js';

export interface MergeTag {
  readonly start: number;
  readonly end: number;
  /** The content, with entities decoded and without tags that an editor left. */
  readonly inner: string;
}

/** Yields the merge tags of `source` in order. */
export function* mergeTagsIn(source: string): Generator<MergeTag> {
  let start = source.indexOf('*|');
  let close = -1;
  while (start >= 0) {
    if (close < start + 2) close = source.indexOf('|*', start + 2);
    if (close < 0) return;
    const next = source.indexOf('*|', start + 2);
    if (close - start > MAX_FOREIGN_BLOCK_LENGTH || (next >= 0 && next < close)) {
      start = next;
      continue;
    }
    yield { start, end: close + 2, inner: plainText(source.slice(start + 2, close)) };
    start = source.indexOf('*|', close + 2);
  }
}

function plainText(written: string): string {
  const bare = written.replace(/<[^<>]*>/g, '');
  let text = '';
  for (let offset = 0; offset < bare.length;) {
    const { character, next } = characterAt(bare, offset);
    text += character === '\u00a0' ? ' ' : character;
    offset = next;
  }
  return text.trim();
}

const EDITOR_MARK = /\smc:[a-z][\w-]{0,40}(?:\s{0,5}=\s{0,5}(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+))?/gi;

/** The positions of the editor's marks in `text`; each starts with the white space before it. */
export function editorMarksIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(EDITOR_MARK)].map(({ 0: mark, index }) => ({
    start: index,
    end: index + mark.length,
  }));
}
