/** Splits a server's message into the replies that it quotes, from the outermost to the innermost. */
import { MAX_REPLY_CHARS, replyWords } from './reply-words.js';

export interface ServerReply {
  /** Such as 550. */
  readonly code: number | null;
  /** Enhanced status code of a failure, such as 5.1.1. */
  readonly enhanced: string | null;
  /** As `wordsOf` gives them. */
  readonly words: string;
}

const ENHANCED = /(?<![\d.])[45]\.[0-7]\.\d{1,3}(?!\.?\d)/g;
/** A number in the range of reply codes. Followed by `-` or an enhanced code, it is one for certain. */
const CODE = /(?<![\w.#-])([45][0-7]\d)(?=(-|[ :#,]+#?[45]\.[0-7]\.\d)|[ :#,'"]|$)/g;
/** Text before a nested reply: `reply: 550 …`, `-> 550 …`, `(550 …)`, `(#5.1.1) 550 …`. */
const NESTED_REPLY_PREFIX = /(?:^|[:;>)("'<=]|\d\.\d\.\d{1,3})\s*$/;
const MAX_REPLIES = 50;

/** Whether a code says only that something failed, as 5.0.0 does. */
export function isGeneric(code: string): boolean {
  return /^\d\.0\.\d+$/.test(code);
}

/** The most specific enhanced status code of a failure in a text, the later one among equals. */
export function enhancedCodeOf(text: string): string | undefined {
  const codes = text.slice(0, MAX_REPLY_CHARS).match(ENHANCED) ?? [];
  return codes.findLast((code) => !isGeneric(code)) ?? codes[0];
}

/** The innermost reply comes last. Text before the first code is a reply without one. */
export function repliesOf(text: string): ServerReply[] {
  const read = text.slice(0, MAX_REPLY_CHARS);
  const starts: { at: number; code: number | null; continues: boolean }[] = [
    { at: 0, code: null, continues: false },
  ];
  for (const match of read.matchAll(CODE)) {
    const code = Number(match[1]);
    const last = starts.at(-1);
    const isNextLine = last?.code === code && last.continues;
    const isReply =
      isNextLine ||
      match[2] !== undefined ||
      NESTED_REPLY_PREFIX.test(read.slice(Math.max(0, match.index - 20), match.index));
    if (!isReply) continue;
    const continues = match[2] === '-';
    if (isNextLine) last.continues = continues;
    else if (starts.length < MAX_REPLIES) starts.push({ at: match.index, code, continues });
  }
  return starts.flatMap(({ at, code }, index) => {
    const reply = read.slice(at, starts[index + 1]?.at);
    const words = replyWords(reply);
    const enhanced = enhancedCodeOf(reply) ?? null;
    return code === null && enhanced === null && words.trim() === '' ? [] : [{ code, enhanced, words }];
  });
}
