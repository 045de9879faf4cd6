/** Iterates over the tokens of one expression. Keywords are compared in lower case, phrases word by word. */
import type { Token } from './tokenizer.js';

/** Thrown only inside the parser, which converts it to a TemplateError. */
export class NltSyntaxError extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/** A position in a list of tokens; `end` is the offset after the last one. */
export class TokenCursor {
  private index = 0;

  constructor(
    private tokens: readonly Token[],
    private readonly end: number,
  ) {}

  /** The token `ahead` positions further, if there is one. */
  peek(ahead = 0): Token | undefined {
    return this.tokens[this.index + ahead];
  }

  /** The current token's offset, or the end of the expression. */
  get offset(): number {
    return this.peek()?.offset ?? this.end;
  }

  get atEnd(): boolean {
    return this.index >= this.tokens.length;
  }

  advance(count = 1): void {
    this.index += count;
  }

  /** Whether the words from here (or from `ahead`) are those of `phrase`, given in lower case. */
  at(phrase: readonly string[], ahead = 0): boolean {
    return phrase.every((word, index) => this.peek(ahead + index)?.lower === word);
  }

  atKind(kind: Token['kind'], ahead = 0): boolean {
    return this.peek(ahead)?.kind === kind;
  }

  /** Consumes `phrase` if it comes next. */
  accept(...phrase: readonly string[]): boolean {
    if (!this.at(phrase)) return false;
    this.advance(phrase.length);
    return true;
  }

  /** Consumes a token of `kind` and returns its text, or null. */
  acceptKind(kind: Token['kind']): string | null {
    const token = this.peek();
    if (token?.kind !== kind) return null;
    this.advance();
    return token.text;
  }

  /** Reads each of the `words` from here on, given in lower case, as the two words that it stands for. */
  split(words: Readonly<Record<string, readonly [string, string]>>): void {
    this.tokens = this.tokens.flatMap((token, index): readonly Token[] => {
      if (index < this.index || !Object.hasOwn(words, token.lower)) return [token];
      const [first, second] = words[token.lower] ?? ['', ''];
      return [
        { ...token, text: first, lower: first },
        { ...token, text: second, lower: second, spaced: true },
      ];
    });
  }

  fail(message: string, offset = this.offset): never {
    throw new NltSyntaxError(message, offset);
  }

  /** Fails unless the whole expression has been consumed. */
  expectEnd(): void {
    const token = this.peek();
    if (token === undefined) return;
    const before = token.kind === 'quoted' ? this.peek(-1)?.lower : undefined;
    const hint = before === 'or' || before === 'as' ? ` Put a comma before “${before}”.` : '';
    this.fail(`“${token.text}” was not expected here.${hint}`);
  }
}
