/**
 * Splits one Jinja2 block (`{{ … }}` or `{% … %}`) into tokens as Jinja2 does (specification section 4.3).
 *
 * Edge cases:
 * - A block ends at its end mark outside of quotes and brackets; `-` and `+` directly inside the marks are white-space
 *   control, so `{{-1}}` is 1.
 * - A block that is never closed ends where the next one starts (`{{`, `{%`, `{#` outside of quotes never occur in an
 *   expression). After a quote that is never closed it ends at the first end mark, else after MAX_JINJA_BLOCK_LENGTH.
 *   The total number of characters read twice because of that is limited to the length of the source.
 */
import { plainDigitsOf } from '../nlt/numeric.js';
import { MAX_JINJA_BLOCK_LENGTH } from './jinja-limits.js';

/** `text` is the decoded content of a text, and the plain digits of a number. */
export interface JinjaToken {
  readonly kind: 'name' | 'number' | 'text' | 'operator';
  readonly text: string;
  readonly offset: number;
}

/** A block split into tokens; `message` describes its error, null if there is none. */
export interface TokenReading {
  readonly tokens: readonly JinjaToken[];
  readonly end: number;
  readonly trimBefore: boolean;
  readonly trimAfter: boolean;
  readonly message: string | null;
}

const namePattern = /[\p{L}_][\p{L}\p{N}_]*/uy;
const numberPattern =
  /0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+|\d(?:_?\d)*(?:\.\d(?:_?\d)*)?(?:[eE][-+]?\d(?:_?\d)*)?/y;
const textPattern = /'[^'\\]*(?:\\[^][^'\\]*)*'|"[^"\\]*(?:\\[^][^"\\]*)*"/y;
const operatorPattern = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}<>=.:|,;]/y;
const spacePattern = /[\s\u001c-\u001f\u0085]+/y;
const closing: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

const UNCLOSED = 'This Jinja2 block is not closed.';

/** Reads the blocks of one source, and limits how much is read again after an unclosed quote. */
export class JinjaTokenizer {
  /** Characters read so far: a measure of work that does not depend on the machine. */
  charactersRead = 0;
  private rereadBudget: number;
  private position = 0;
  private tokens: JinjaToken[] = [];
  private brackets: string[] = [];

  constructor(private readonly source: string) {
    this.rereadBudget = source.length;
  }

  /** Reads the block that starts at `offset` with `{{` or `{%`. */
  readBlock(offset: number): TokenReading {
    const endMark = this.source[offset + 1] === '{' ? '}}' : '%}';
    const sign = this.source[offset + 2];
    const trimBefore = sign === '-';
    this.position = offset + (trimBefore || sign === '+' ? 3 : 2);
    this.tokens = [];
    this.brackets = [];
    const limit = Math.min(this.source.length, offset + MAX_JINJA_BLOCK_LENGTH);
    const { message, trimAfter } = this.readTokens(endMark, limit);
    this.charactersRead += this.position - offset;
    return { tokens: this.tokens, end: this.position, trimBefore, trimAfter, message };
  }

  private readTokens(endMark: string, limit: number): { message: string | null; trimAfter: boolean } {
    let message: string | null = null;
    while (this.position < limit) {
      if (this.match(spacePattern) !== null) continue;
      if (this.brackets.length === 0) {
        const sign = this.source[this.position];
        const signed = sign === '-' || (sign === '+' && endMark === '%}');
        const at = this.position + (signed ? 1 : 0);
        if (this.source.startsWith(endMark, at)) {
          this.position = at + 2;
          return { message, trimAfter: sign === '-' };
        }
      } else if (this.source.startsWith(endMark, this.position) && this.mustEndBlock(endMark)) {
        this.position += 2;
        return { message: message ?? `“${this.brackets.at(-1)}” is not closed.`, trimAfter: false };
      }
      if (/^\{[{%#]/.test(this.source.slice(this.position, this.position + 2))) break;
      const problem = this.readToken(endMark, limit);
      if (problem === null) continue;
      if (problem.isFatal) return { message: message ?? problem.message, trimAfter: false };
      message ??= problem.message;
    }
    const tooLong = this.position >= limit && limit < this.source.length;
    const length = tooLong
      ? `This Jinja2 block is longer than ${MAX_JINJA_BLOCK_LENGTH} characters.`
      : UNCLOSED;
    return { message: message ?? length, trimAfter: false };
  }

  /** Whether the end mark here, inside brackets, can only be the end of the block. */
  private mustEndBlock(endMark: string): boolean {
    return endMark === '%}' || this.brackets.at(-1) !== '{';
  }

  /** Reads one token; returns its error, and whether the rest of the block cannot be read. */
  private readToken(endMark: string, limit: number): { message: string; isFatal: boolean } | null {
    const offset = this.position;
    const quote = this.source[offset];
    if (quote === '"' || quote === "'") return this.readText(endMark, limit);
    const number = this.match(numberPattern);
    if (number !== null) {
      const digits = plainDigits(number);
      this.push('number', digits ?? '0', offset);
      return digits === null ? { message: `The number ${number} is too large.`, isFatal: false } : null;
    }
    const name = this.match(namePattern);
    if (name !== null) return this.push('name', name, offset);
    const operator = this.match(operatorPattern);
    if (operator !== null) {
      this.push('operator', operator, offset);
      return this.balance(operator);
    }
    const character = String.fromCodePoint(this.source.codePointAt(offset) ?? 0);
    this.position += character.length;
    return { message: `“${character}” is not allowed in Jinja2.`, isFatal: false };
  }

  private readText(endMark: string, limit: number): { message: string; isFatal: boolean } | null {
    const offset = this.position;
    const window = this.source.slice(offset, limit);
    textPattern.lastIndex = 0;
    const text = textPattern.exec(window)?.[0];
    if (text !== undefined) {
      this.position += text.length;
      return this.push('text', unescaped(text.slice(1, -1)), offset);
    }
    const close = window.indexOf(endMark);
    const rereadLength = limit - offset;
    this.position = limit;
    if (close >= 0 && rereadLength <= this.rereadBudget) {
      this.rereadBudget -= rereadLength;
      this.position = offset + close + endMark.length;
    }
    return { message: 'A text in this Jinja2 block has no closing quote.', isFatal: true };
  }

  private balance(operator: string): { message: string; isFatal: boolean } | null {
    if (operator === '(' || operator === '[' || operator === '{') {
      this.brackets.push(operator);
    } else if (Object.hasOwn(closing, operator)) {
      if (this.brackets.at(-1) !== closing[operator]) {
        return { message: `“${operator}” has nothing to close.`, isFatal: false };
      }
      this.brackets.pop();
    }
    return null;
  }

  private push(kind: JinjaToken['kind'], text: string, offset: number): null {
    this.tokens.push({ kind, text, offset });
    return null;
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.position;
    const text = pattern.exec(this.source)?.[0];
    if (text === undefined) return null;
    this.position += text.length;
    return text;
  }
}

/** A number without underscores, prefixes and exponents; null if it is too large. */
function plainDigits(written: string): string | null {
  const digits = written.replaceAll('_', '');
  if (/^(?:0[bBoOxX]|\d+$)/.test(digits)) return BigInt(digits).toString();
  return plainDigitsOf(digits);
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  f: '\f',
  v: '\v',
  a: '\u0007',
  b: '\b',
  '0': '\0',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '\n': '',
};

/** Decodes Python's escapes; an unknown escape stays as written, as in Python. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U(000[\da-fA-F]{5}|0010[\da-fA-F]{4})|([^]))/g,
    (whole, two?: string, four?: string, eight?: string, one?: string) => {
      const code = two ?? four ?? eight;
      if (code !== undefined) return String.fromCodePoint(parseInt(code, 16));
      return escapes[one ?? ''] ?? whole;
    },
  );
}
