/** Takes what a server said apart: the replies in it, from the outermost to the innermost, each with its codes and words. */
import { LONGEST_REPLY, wordsOf } from './reply-words.js';

export interface ServerReply {
  /** Such as 550; null where none was told. */
  readonly code: number | null;
  /** Enhanced status code of a failure, such as 5.1.1; null where none was told. */
  readonly enhanced: string | null;
  /** As `wordsOf` gives them. */
  readonly words: string;
}

const ENHANCED = /(?<![\d.])[45]\.[0-7]\.\d{1,3}(?!\.?\d)/g;
/** A number that is a reply code wherever it stands: an enhanced code or the next line of the reply follows. */
const CODE = /(?<![\w.#-])([45][0-7]\d)(?=(-|[ :#,]+#?[45]\.[0-7]\.\d)|[ :#,'"]|$)/g;
/** What stands before a reply in other text: `said: 550 …`, `-> 550 …`, `(550 …)`, `(#5.1.1) 550 …`. */
const BEFORE = /(?:^|[:;>)("'<=]|\d\.\d\.\d{1,3})\s*$/;
const MOST_REPLIES = 50;

/** Whether a code says no more than that something failed. */
export function isGeneric(code: string): boolean {
  return /^\d\.0\.\d+$/.test(code);
}

/** The most specific enhanced status code of a failure in a text, the later one among equals. */
export function enhancedCodeOf(text: string): string | undefined {
  const codes = text.slice(0, LONGEST_REPLY).match(ENHANCED) ?? [];
  return codes.findLast((code) => !isGeneric(code)) ?? codes[0];
}

/** The replies of a text, the innermost last; what stands before the first one is a reply without a code. */
export function repliesOf(text: string): ServerReply[] {
  const read = text.slice(0, LONGEST_REPLY);
  const starts: { at: number; code: number | null; goesOn: boolean }[] = [
    { at: 0, code: null, goesOn: false },
  ];
  for (const match of read.matchAll(CODE)) {
    const code = Number(match[1]);
    const last = starts.at(-1);
    const isNextLine = last?.code === code && last.goesOn;
    const isReply =
      isNextLine ||
      match[2] !== undefined ||
      BEFORE.test(read.slice(Math.max(0, match.index - 20), match.index));
    if (!isReply) continue;
    const goesOn = match[2] === '-';
    if (isNextLine) last.goesOn = goesOn;
    else if (starts.length < MOST_REPLIES) starts.push({ at: match.index, code, goesOn });
  }
  return starts.flatMap(({ at, code }, index) => {
    const said = read.slice(at, starts[index + 1]?.at);
    const words = wordsOf(said);
    const enhanced = enhancedCodeOf(said) ?? null;
    return code === null && enhanced === null && words.trim() === '' ? [] : [{ code, enhanced, words }];
  });
}
