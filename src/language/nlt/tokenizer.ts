/**
 * Determines whether a brace starts an expression, and splits the expression into words, quoted texts and marks. A
 * marketer's editor leaves tags, entities and odd spaces inside braces; none of them reaches the parser.
 *
 * Edge cases:
 * - Two or more consecutive opening braces are never NLT, so `{{ jinja }}` and `{{the x}}` stay text.
 * - `the`, `if` and `for each` need white space after them; `{the}` and `{if(x)` are text.
 * - Inline tags are dropped even inside a word and inside quotes; `br`, `p`, `div` and similar tags count as a space.
 *   To write a literal tag in quotes, use `&lt;br&gt;`.
 * - Quoted text may contain braces. Entities in it are decoded; a no-break space becomes a space. `"` is closed by `"`,
 *   `&quot;` by `&quot;`, curly quotes by curly quotes; single quotes work too, and `'don't'` is one text.
 * - A dot between two word characters separates path parts unless it is inside a number (`1.5`).
 * - If a quote or brace is never closed, the block ends at its first `}`, else at the next `{`, else after
 *   MAX_BLOCK_LENGTH. The total number of characters read twice because of that is limited to the length of the source.
 */
import { characterAt } from './entities.js';
import { MAX_BLOCK_LENGTH, MAX_TAG_LENGTH } from './limits.js';

/**
 * A piece of an expression. `text` is decoded; `spaced` is whether white space precedes it; `lower` is the text of a
 * word in lower case for keywords, and empty for everything else.
 */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'comma' | 'possessive' | 'dot';
  readonly text: string;
  readonly lower: string;
  readonly spaced: boolean;
  readonly offset: number;
}

/** What a brace turned out to be; `end` is the offset at which to continue. */
export type BlockReading =
  | { readonly kind: 'text'; readonly end: number }
  | { readonly kind: 'block'; readonly tokens: readonly Token[]; readonly end: number }
  | {
      readonly kind: 'broken';
      readonly tokens: readonly Token[];
      readonly end: number;
      readonly message: string;
    };

const spacePattern = /[\s\u00a0\u0085]/;
const invisiblePattern = /[\u200b-\u200d\u2060\ufeff\u00ad]/;
const letterPattern = /[\p{L}\p{N}]/u;
const spacingTags = /^<\/?(?:br|p|div|li|ul|ol|tr|td|th|table|tbody|h[1-6]|hr|blockquote)\b/i;
const mayStartPattern = /[\sTtIiEeFfNn&<\u00a0\u0085\u200b-\u200d\u2060\ufeff\u00ad]/;

type QuoteStyle = 'straight' | 'straight entity' | 'curly' | 'single';

/** Reads the braces of one source, and limits how much is read again after an unclosed quote. */
export class Tokenizer {
  /** Characters read so far: a measure of work that does not depend on the machine. */
  charactersRead = 0;
  /** The number of tags removed from quoted texts so far. */
  tagsInQuotes = 0;
  private rereadBudget: number;
  private position = 0;
  private limit = 0;
  private tokens: Token[] = [];
  private spaced = false;
  private firstClosingBrace = -1;

  constructor(private readonly source: string) {
    this.rereadBudget = source.length;
  }

  /** Reads the block that starts with the single brace at `offset`. */
  readBlock(offset: number): BlockReading {
    this.position = offset + 1;
    this.limit = Math.min(this.source.length, offset + MAX_BLOCK_LENGTH);
    this.tokens = [];
    this.spaced = false;
    this.firstClosingBrace = -1;
    if (!mayStartPattern.test(this.source.charAt(this.position))) return { kind: 'text', end: offset + 1 };
    const reading = this.readTokens(offset);
    this.charactersRead += this.position - offset;
    return reading;
  }

  private readTokens(offset: number): BlockReading {
    while (this.position < this.limit) {
      const plain = this.source[this.position];
      if (plain === '{') {
        return this.isExpression() ? this.broken('This expression has no closing brace.') : textFrom(offset);
      }
      if (plain === '}') {
        if (!this.isExpression()) return textFrom(offset);
        return { kind: 'block', tokens: this.tokens, end: this.position + 1 };
      }
      if (this.skipTag() || this.skipSpace()) continue;
      if (!this.mayContinue() || !this.mayReadToken()) return textFrom(offset);
      if (!this.readToken()) return this.broken('A quoted text in this expression has no closing quote.');
    }
    if (!this.isExpression()) return textFrom(offset);
    const tooLong = this.limit < this.source.length;
    return this.broken(
      tooLong
        ? `This expression is longer than ${MAX_BLOCK_LENGTH} characters or has no closing brace.`
        : 'This expression has no closing brace.',
    );
  }

  /** Whether the tokens so far, before one more is read, can still be the start of an expression. */
  private mayContinue(): boolean {
    const [first, second] = this.tokens;
    if (first === undefined) return true;
    if (first.kind !== 'word') return false;
    switch (first.lower) {
      case 'the':
      case 'if':
        return second !== undefined || this.spaced;
      case 'else':
      case 'today':
      case 'now':
        return true;
      case 'end':
        return second === undefined ? this.spaced : second.lower === 'if' || second.lower === 'for';
      case 'for':
        return second === undefined
          ? this.spaced
          : second.lower === 'each' && (this.tokens[2] !== undefined || this.spaced);
      default:
        return false;
    }
  }

  /** Whether a token may start here: the words that start an expression are plain letters, never in quotes. */
  private mayReadToken(): boolean {
    const [first, second] = this.tokens;
    const isKeyword = first === undefined || (second === undefined && /^(?:end|for)$/.test(first.lower));
    return !isKeyword || /[a-zA-Z]/.test(this.source.charAt(this.position));
  }

  /** Whether the block, which ends here, started like an expression. */
  private isExpression(): boolean {
    const [first, second] = this.tokens;
    if (first === undefined || !this.mayContinue()) return false;
    return second !== undefined || (first.lower !== 'end' && first.lower !== 'for');
  }

  private broken(message: string): BlockReading {
    const rereadLength = this.position - this.firstClosingBrace;
    const mayReread = this.firstClosingBrace >= 0 && rereadLength <= this.rereadBudget;
    if (mayReread) this.rereadBudget -= rereadLength;
    const end = mayReread ? this.firstClosingBrace + 1 : this.position;
    return { kind: 'broken', tokens: this.tokens, end, message };
  }

  /** Skips a tag at the current position. */
  private skipTag(): boolean {
    const end = this.tagEnd(this.position);
    if (end < 0) return false;
    if (spacingTags.test(this.source.slice(this.position, Math.min(end, this.position + 14))))
      this.spaced = true;
    this.position = end;
    return true;
  }

  /** The offset after the tag that starts at `offset`, or -1 if there is none. A tag contains no brace. */
  private tagEnd(offset: number): number {
    if (this.source[offset] !== '<' || !/[a-zA-Z/!]/.test(this.source.charAt(offset + 1))) return -1;
    const limit = Math.min(this.limit, offset + MAX_TAG_LENGTH);
    for (let index = offset + 1; index < limit; index++) {
      const character = this.source[index];
      if (character === '>') return index + 1;
      if (character === '<' || character === '{' || character === '}') return -1;
    }
    return -1;
  }

  private skipSpace(): boolean {
    // Most characters are letters; checking for entities and all kinds of white space is slow.
    if (isPlain(this.source.charCodeAt(this.position))) return false;
    const { character, next } = characterAt(this.source, this.position);
    if (spacePattern.test(character)) this.spaced = true;
    else if (!invisiblePattern.test(character)) return false;
    this.position = next;
    return true;
  }

  /** Reads one token; false for a quoted text without an end. */
  private readToken(): boolean {
    const offset = this.position;
    const { character, next, fromEntity } = characterAt(this.source, offset);
    if (character === ',') return this.push('comma', character, next);
    const previous = this.tokens.at(-1);
    const adjacent = previous !== undefined && previous.kind !== 'comma' && !this.spaced;
    if (isPossessive(character)) {
      const end = adjacent ? this.possessiveEnd(next) : -1;
      if (end >= 0) return this.push('possessive', character + this.source.slice(end - 1, end), end);
      if (!adjacent && isApostrophe(character)) return this.readQuoted('single', next);
    }
    const style = quoteStyle(character, fromEntity);
    if (style !== null) return this.readQuoted(style, next);
    if (character === '.' && adjacent && this.isWordCharacter(next)) {
      return this.push('dot', character, next);
    }
    return this.readWord();
  }

  private push(kind: Token['kind'], text: string, end: number, offset = this.position): true {
    const lower = kind === 'word' ? text.toLowerCase() : '';
    this.tokens.push({ kind, text, lower, spaced: this.spaced, offset });
    this.spaced = false;
    this.position = end;
    return true;
  }

  /** The offset after `s` if an apostrophe that ends at `offset` is possessive, else -1. */
  private possessiveEnd(offset: number): number {
    const letter = this.source[offset];
    if ((letter !== 's' && letter !== 'S') || offset + 1 > this.limit) return -1;
    if (offset + 1 === this.limit) return offset + 1;
    return letterPattern.test(characterAt(this.source, offset + 1).character) ? -1 : offset + 1;
  }

  private isWordCharacter(offset: number): boolean {
    if (offset >= this.limit) return false;
    return !/[\s\u00a0,{}."\u201c-\u201e]/.test(characterAt(this.source, offset).character);
  }

  private readWord(): true {
    const start = this.position;
    const afterDot = this.tokens.at(-1)?.kind === 'dot' && !this.spaced;
    let word = '';
    let offset = start;
    while (offset < this.limit) {
      const plainEnd = this.plainEnd(offset);
      if (plainEnd > offset) {
        word += this.source.slice(offset, plainEnd);
        offset = plainEnd;
        continue;
      }
      const { character, next, fromEntity } = characterAt(this.source, offset);
      if (character === '<' && !fromEntity) {
        const end = this.tagEnd(offset);
        if (end >= 0 && spacingTags.test(this.source.slice(offset, Math.min(end, offset + 14)))) break;
        if (end >= 0) {
          offset = end;
          continue;
        }
      }
      if (/[\s\u00a0\u0085,]/.test(character) || quoteStyle(character, fromEntity) !== null) break;
      // A brace written as an entity is an ordinary character.
      if (!fromEntity && /[{}]/.test(character)) break;
      if (isPossessive(character) && word !== '' && this.possessiveEnd(next) >= 0) break;
      if (character === '.' && word !== '' && this.isWordCharacter(next)) {
        const inNumber = !afterDot && /^-?\d+$/.test(word) && /\d/.test(this.source.charAt(next));
        if (!inNumber) break;
      }
      if (!invisiblePattern.test(character)) word += character;
      offset = next;
    }
    return this.push('word', word, offset, start);
  }

  /** The offset after the letters and digits that start at `offset`. */
  private plainEnd(offset: number): number {
    let end = offset;
    while (end < this.limit && isPlain(this.source.charCodeAt(end))) end++;
    return end;
  }

  private readQuoted(style: QuoteStyle, from: number): boolean {
    const start = this.position;
    let text = '';
    let offset = from;
    while (offset < this.limit) {
      const plain = this.source[offset];
      if (plain === '<') {
        const end = this.tagEnd(offset);
        if (end >= 0) {
          this.tagsInQuotes++;
          if (spacingTags.test(this.source.slice(offset, Math.min(end, offset + 14)))) text += ' ';
          offset = end;
          continue;
        }
      }
      const { character, next, fromEntity } = characterAt(this.source, offset);
      if (this.closes(style, character, fromEntity, next)) return this.push('quoted', text, next, start);
      if (plain === '}' && this.firstClosingBrace < 0) this.firstClosingBrace = offset;
      text += character === '\u00a0' ? ' ' : character;
      offset = next;
    }
    this.position = offset;
    return false;
  }

  private closes(style: QuoteStyle, character: string, fromEntity: boolean, next: number): boolean {
    if (style === 'single') {
      if (!isApostrophe(character)) return false;
      return next >= this.limit || !letterPattern.test(characterAt(this.source, next).character);
    }
    return quoteStyle(character, fromEntity) === style;
  }
}

/** Whether a character code is an ASCII letter or digit, or an underscore: always part of a word. */
function isPlain(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  );
}

function textFrom(offset: number): BlockReading {
  return { kind: 'text', end: offset + 1 };
}

function isApostrophe(character: string): boolean {
  return character === "'" || character === '\u2019' || character === '\u2018';
}

/**
 * Before an `s`, the characters that keyboards offer next to the apostrophe count as one: accents, the prime, the
 * modifier letter.
 */
function isPossessive(character: string): boolean {
  return isApostrophe(character) || /[`\u00b4\u2032\u02bc]/.test(character);
}

function quoteStyle(character: string, fromEntity: boolean): QuoteStyle | null {
  if (character === '"') return fromEntity ? 'straight entity' : 'straight';
  return character === '\u201c' || character === '\u201d' || character === '\u201e' ? 'curly' : null;
}
