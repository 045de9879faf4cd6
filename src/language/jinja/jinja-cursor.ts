/** Iterates over the tokens of one Jinja2 block, and reports what was expected if they differ. */
import { MAX_EXPRESSION_DEPTH } from './jinja-limits.js';
import type { JinjaToken } from './jinja-tokenizer.js';

/** Thrown only inside the parser; it becomes an error with a position. */
export class JinjaSyntaxError extends Error {}

const MAX_QUOTED_TOKEN_LENGTH = 40;

/** Operators that are words, which cannot be names of values. */
export const reservedWords = new Set(['and', 'or', 'not', 'if', 'else', 'elif', 'in', 'is']);

/** A position in the tokens of one block. */
export class JinjaCursor {
  private index = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly JinjaToken[]) {}

  get atEnd(): boolean {
    return this.index >= this.tokens.length;
  }

  /** Whether the token `ahead` positions further is the operator or the word `text`. */
  at(text: string, ahead = 0): boolean {
    const token = this.tokens[this.index + ahead];
    return token?.text === text && (token.kind === 'operator' || token.kind === 'name');
  }

  accept(text: string): boolean {
    if (!this.at(text)) return false;
    this.index++;
    return true;
  }

  acceptKind(kind: JinjaToken['kind']): string | null {
    const token = this.tokens[this.index];
    if (token?.kind !== kind) return null;
    this.index++;
    return token.text;
  }

  atKind(kind: JinjaToken['kind']): boolean {
    return this.tokens[this.index]?.kind === kind;
  }

  expect(text: string): void {
    if (!this.accept(text)) this.fail(`“${text}” was expected`);
  }

  expectEnd(): void {
    if (!this.atEnd) this.fail('The end of the block was expected');
  }

  /** A name that is not a word operator. */
  expectName(what: string): string {
    const token = this.tokens[this.index];
    if (token?.kind !== 'name' || reservedWords.has(token.text)) return this.fail(`${what} was expected`);
    this.index++;
    return token.text;
  }

  fail(expected: string): never {
    const token = this.tokens[this.index];
    const found =
      token === undefined ? 'the block ends' : `“${token.text.slice(0, MAX_QUOTED_TOKEN_LENGTH)}” stands`;
    throw new JinjaSyntaxError(`${expected}, but ${found} there.`);
  }

  /** Parses a nested expression; nesting beyond the limit is an error. */
  nested<Result>(read: () => Result): Result {
    if (++this.depth > MAX_EXPRESSION_DEPTH) throw new JinjaSyntaxError('This Jinja2 is nested too deeply.');
    const result = read();
    this.depth--;
    return result;
  }
}
