/**
 * Finds the expressions of both languages in a source. Only the scanner decides which language a brace belongs to, so
 * that rendering, detection and conversion agree (specification section 4.3).
 *
 * Edge cases:
 * - The source is read from left to right and the first expression to start wins: Jinja2 inside a complete NLT
 *   expression is part of it (`{the user's x, or "{{ y }}"}`), and NLT inside a Jinja2 text is part of the Jinja2.
 * - Unless the template is pinned to jinja2, three or more consecutive braces are text, `{{the user's x}}` is text
 *   (NLT's validation warns of this mistake), and so is a `{#` that is never closed, since style sheets contain it
 *   (`@media print{#a{…}}`).
 * - `raw` extends to the next `endraw`, comments to the next `#}`, at any distance.
 */
import { Tokenizer } from '../nlt/tokenizer.js';
import type { TemplateLanguage } from '../template-language.js';
import { type JinjaToken, JinjaTokenizer } from './jinja-tokenizer.js';

/** A position in the source with its white-space control. */
interface BlockSpan {
  readonly start: number;
  readonly end: number;
  readonly trimBefore: boolean;
  readonly trimAfter: boolean;
}

export type ScannedBlock =
  | (BlockSpan & { readonly kind: 'output'; readonly tokens: readonly JinjaToken[] })
  | (BlockSpan & { readonly kind: 'tag'; readonly tokens: readonly JinjaToken[] })
  | (BlockSpan & { readonly kind: 'comment' })
  | (BlockSpan & { readonly kind: 'raw'; readonly text: string })
  | (BlockSpan & {
      readonly kind: 'broken';
      readonly tokens: readonly JinjaToken[];
      readonly message: string;
    })
  | { readonly kind: 'nlt'; readonly start: number; readonly end: number };

const nltInDoubleBraces = /\{\{\s{0,20}(?:the|if|for each|else|else if|end if|end for)\s[^{}]{0,200}\}\}/iy;
const rawTag = /\{%[-+]?\s*raw\s*(-?)%\}/y;
const endOfRaw = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g;

/** Whether `source` may contain any Jinja2; if not, it need not be scanned. */
export function mayContainJinja(source: string): boolean {
  return source.includes('{{') || source.includes('{%') || source.includes('{#');
}

/** Scans one source; `language` is the template's pin: with `jinja2`, NLT is text; with `nlt`, Jinja2 is text. */
export class Scanner {
  private readonly jinja: JinjaTokenizer;
  private readonly nlt: Tokenizer;
  private noMoreComments = false;
  private noMoreRaw = false;

  constructor(
    private readonly source: string,
    private readonly language: TemplateLanguage | null,
  ) {
    this.jinja = new JinjaTokenizer(source);
    this.nlt = new Tokenizer(source);
  }

  /** Characters read so far: a measure of work that does not depend on the machine. */
  get charactersRead(): number {
    return this.jinja.charactersRead + this.nlt.charactersRead;
  }

  /** Yields every expression in the order of the source, including NLT expressions that do not parse. */
  *blocks(): Generator<ScannedBlock> {
    const { source } = this;
    for (let offset = source.indexOf('{'); offset >= 0;) {
      const block = this.readBrace(offset);
      if (typeof block === 'number') {
        offset = source.indexOf('{', block);
      } else {
        yield block;
        offset = source.indexOf('{', block.end);
      }
    }
  }

  /** The block that starts at the brace at `offset`, or the offset after the brace if it is text. */
  private readBrace(offset: number): ScannedBlock | number {
    const next = this.source[offset + 1];
    if (next === '{') {
      const text = this.textOfBraces(offset);
      return text >= 0 ? text : this.readJinja(offset);
    }
    if (this.language !== 'nlt' && next === '%') return this.readRaw(offset) ?? this.readJinja(offset);
    if (this.language !== 'nlt' && next === '#') return this.readComment(offset);
    if (this.language === 'jinja2') return offset + 1;
    const { kind, end } = this.nlt.readBlock(offset);
    return kind === 'text' ? end : { kind: 'nlt', start: offset, end };
  }

  /** The offset after several opening braces that are text; -1 if they start an expression. */
  private textOfBraces(offset: number): number {
    if (this.language === 'jinja2') return -1;
    let end = offset + 2;
    while (this.source[end] === '{') end++;
    if (this.language === 'nlt' || end > offset + 2) return end;
    nltInDoubleBraces.lastIndex = offset;
    return nltInDoubleBraces.test(this.source) ? nltInDoubleBraces.lastIndex : -1;
  }

  private readJinja(start: number): ScannedBlock {
    const { message, ...reading } = this.jinja.readBlock(start);
    if (message !== null) return { kind: 'broken', start, message, ...reading };
    return { kind: this.source[start + 1] === '{' ? 'output' : 'tag', start, ...reading };
  }

  private readComment(start: number): ScannedBlock | number {
    const close = this.noMoreComments ? -1 : this.source.indexOf('#}', start + 2);
    if (close < 0) {
      this.noMoreComments = true;
      if (this.language === null) return start + 1;
      const message = 'This comment is not closed.';
      return { ...untrimmed('broken', start, start + 2), tokens: [], message };
    }
    return {
      kind: 'comment',
      start,
      end: close + 2,
      trimBefore: this.source[start + 2] === '-',
      trimAfter: close > start + 3 && this.source[close - 1] === '-',
    };
  }

  private readRaw(start: number): ScannedBlock | null {
    rawTag.lastIndex = start;
    const opening = rawTag.exec(this.source);
    if (opening === null) return null;
    const from = start + opening[0].length;
    endOfRaw.lastIndex = from;
    const closing = this.noMoreRaw ? null : endOfRaw.exec(this.source);
    if (closing === null) {
      this.noMoreRaw = true;
      return { ...untrimmed('broken', start, from), tokens: [], message: '{% raw %} is not closed.' };
    }
    let text = this.source.slice(from, closing.index);
    if (opening[1] === '-') text = trimStart(text);
    if (closing[1] === '-') text = trimEnd(text);
    return {
      kind: 'raw',
      start,
      end: closing.index + closing[0].length,
      trimBefore: this.source[start + 2] === '-',
      trimAfter: closing[2] === '-',
      text,
    };
  }
}

function untrimmed<Kind extends string>(
  kind: Kind,
  start: number,
  end: number,
): BlockSpan & { readonly kind: Kind } {
  return { kind, start, end, trimBefore: false, trimAfter: false };
}

/** White space as Python defines it; JavaScript's `trim` differs in a few characters. */
const pythonSpace = '[\\s\\u001c-\\u001f\\u0085]';
const leadingSpace = new RegExp(`^${pythonSpace}+`);

/** The text without leading white space, as Jinja2's `-` trims it. */
export function trimStart(text: string): string {
  return text.replace(leadingSpace, '');
}

const spaceCharacter = new RegExp(pythonSpace);

/** The text without trailing white space; a loop, since a regular expression would be tried at every space. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && spaceCharacter.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
