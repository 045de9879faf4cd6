/**
 * One possible state of a template's HTML: a small state machine that processes characters as the tokenizer of the HTML
 * standard does, and detects where tags, attributes, comments and raw elements start and end.
 *
 * Edge cases:
 * - Outlook's conditional comments (`<!--[if mso]>`) contain markup for Outlook and none for browsers: both readings
 *   are tracked.
 * - A value directly after a lone `<` (`Ann <{the user's Email}>`) must not become a tag name.
 * - Inside `<svg>` and similar elements a `<title>` may contain markup, and `<![CDATA[` may open a real section: both
 *   readings are tracked.
 */
import type { Lookahead } from './address-state.js';
import { contextInRawElement } from './content-context.js';
import type { EscapeContext } from './escape-context.js';
import { contentOf, makesAmbiguous, RawState } from './raw-state.js';
import { TagState } from './tag-state.js';

/**
 * How much of its end a comment has read; `start` is directly after `<!--`. `-->` and `--!>` close a comment; `<!-->`
 * and `<!--->` are complete ones.
 */
type CommentEnd = 'start' | 'start -' | '' | '-' | '--' | '--!';

const COMMENT_TRANSITIONS: Readonly<Record<CommentEnd, Readonly<Record<string, CommentEnd | 'closed'>>>> = {
  start: { '-': 'start -', '>': 'closed' },
  'start -': { '-': '--', '>': 'closed' },
  '': { '-': '-' },
  '-': { '-': '--' },
  '--': { '-': '--', '!': '--!', '>': 'closed' },
  '--!': { '-': '-', '>': 'closed' },
};

/** The state of a comment after one more character. */
function nextCommentEnd(end: CommentEnd, character: string): CommentEnd | 'closed' {
  return COMMENT_TRANSITIONS[end][character] ?? '';
}

/** The states in which a value may end inside a comment: a value has no `>`. */
const COMMENT_ENDS: readonly CommentEnd[] = ['', '-', '--', '--!'];

/**
 * The text after `<!` that opens a comment, and a section where sections exist; anything else is a comment up to the
 * next `>`.
 */
const COMMENT_OPENING = '--';
const SECTION_OPENING = '[CDATA[';

/** Whether the text after `<!` may still become such an opening. */
function isOpening(declared: string): boolean {
  return COMMENT_OPENING.startsWith(declared) || SECTION_OPENING.startsWith(declared);
}

/** The number of closing brackets of a section after one more character, two at most. */
function bracketsAfter(brackets: number, character: string): number {
  return character === ']' ? Math.min(brackets + 1, 2) : 0;
}

type Mode =
  'text' | 'less' | 'end tag' | 'declaration' | 'comment' | 'bogus comment' | 'section' | 'tag' | 'raw';

/** The properties in which a fork may differ from its original. */
interface StateChanges {
  readonly mode?: Mode;
  readonly commentEnd?: CommentEnd;
  readonly brackets?: number;
  readonly tag?: TagState;
  readonly raw?: RawState;
  readonly isInScript?: boolean;
}

const CONDITIONAL = /^\s*\[if\b/i;

/** One possible state of the HTML at a point between two pieces. */
export class HtmlState {
  private mode: Mode = 'text';
  /** The current tag, or the last one. */
  private tag = new TagState('');
  /** The content of the current raw element, or of the last one. */
  private raw = new RawState('');
  /** The text after `<!`. */
  private declared = '';
  private commentEnd: CommentEnd = 'start';
  /** Whether Outlook's markup, or that of a section, starts after the next `>` of this comment. */
  private hides: 'markup' | 'section' | '' = '';
  /** The closing brackets just read, which may end a section. */
  private brackets = 0;
  /** Whether the content of elements may differ from what their names imply. */
  private isAmbiguous = false;
  /** Whether the text is that of a script whose content is parsed as markup. */
  private isInScript = false;

  copy(): HtmlState {
    return Object.assign(new HtmlState(), this, { tag: this.tag.copy(), raw: this.raw.copy() });
  }

  /** Equal for states that behave the same from here on. */
  get key(): string {
    return `${this.isAmbiguous} ${this.isInScript} ${this.mode} ${this.modeKey}`;
  }

  private get modeKey(): string {
    switch (this.mode) {
      case 'declaration':
        return this.declared;
      case 'comment':
        return `${this.commentEnd} ${this.hides}`;
      case 'bogus comment':
        return this.hides === 'section' ? `section ${this.brackets}` : '';
      case 'section':
        return `${this.brackets}`;
      case 'tag':
        return this.tag.key;
      case 'raw':
        return this.raw.key;
      default:
        return '';
    }
  }

  /** Merges `other`, which has the same key, into this state. */
  merge({ tag, raw }: HtmlState): void {
    this.tag.merge(tag);
    this.raw.merge(raw);
  }

  get context(): EscapeContext {
    switch (this.mode) {
      case 'text':
      case 'less':
      case 'section':
        if (this.isInScript) return { kind: 'script', quoted: true };
        return { kind: 'text', afterLessThan: this.mode === 'less' };
      case 'comment':
      case 'bogus comment':
        return { kind: 'comment' };
      case 'raw':
        return contextInRawElement(this.raw, this.isAmbiguous);
      case 'tag':
        return this.tag.context;
      case 'end tag':
      case 'declaration':
        return { kind: 'tag' };
    }
  }

  /** The possible states after a value here, which may be empty. */
  afterExpression(lookahead: Lookahead): HtmlState[] {
    switch (this.mode) {
      case 'less':
        return [this, this.fork({ mode: 'text' })];
      case 'end tag':
      case 'declaration':
        return [this, this.fork({ mode: 'bogus comment' })];
      case 'comment':
        return [this, ...COMMENT_ENDS.map((commentEnd) => this.fork({ commentEnd }))];
      case 'section':
        return [this, ...[0, 1, 2].map((brackets) => this.fork({ brackets }))];
      case 'raw':
        return this.raw.afterExpression(lookahead).map((raw) => this.fork({ raw }));
      case 'tag':
        return this.tag.afterExpression(lookahead).map((tag) => this.fork({ tag }));
      case 'bogus comment':
        return this.hides === 'section' ? [0, 1, 2].map((brackets) => this.fork({ brackets })) : [this];
      case 'text':
        return [this];
    }
  }

  /** A copy with the given differences. */
  private fork(changes: StateChanges): HtmlState {
    return Object.assign(this.copy(), changes);
  }

  /**
   * Processes a piece of static HTML that contains `>` only at its end.
   * @returns the possible states after it: this one and its alternatives.
   */
  passText(html: string): HtmlState[] {
    if (html === '') return [this];
    this.tag.startPiece();
    const alternatives: HtmlState[] = [];
    let index = 0;
    while (index < html.length) index = this.step(html, index, alternatives);
    return [this, ...alternatives];
  }

  private step(html: string, index: number, alternatives: HtmlState[]): number {
    const character = html.charAt(index);
    switch (this.mode) {
      case 'text':
        return this.stepText(html, index);
      case 'less':
        return this.stepLess(character, index);
      case 'end tag':
        return this.stepEndTag(character, index);
      case 'declaration':
        return this.stepDeclaration(html, index);
      case 'comment':
        return this.stepComment(html, index, alternatives);
      case 'bogus comment':
        if (character === '>') this.leaveComment(alternatives, true);
        this.brackets = bracketsAfter(this.brackets, character);
        return index + 1;
      case 'section':
        if (character === '>' && this.brackets === 2) this.mode = 'text';
        this.brackets = bracketsAfter(this.brackets, character);
        return index + 1;
      case 'raw':
        if (this.raw.pass(character)) return index + 1;
        return this.startTag('/', index);
      case 'tag': {
        const next = this.tag.step(html, index);
        if (next === null) this.endTag(alternatives);
        return next ?? index + 1;
      }
    }
  }

  private stepText(html: string, index: number): number {
    const start = html.indexOf('<', index);
    if (start < 0) return html.length;
    this.mode = 'less';
    return start + 1;
  }

  private stepLess(character: string, index: number): number {
    if (/[a-zA-Z]/.test(character)) return this.startTag('', index);
    this.declared = '';
    this.hides = '';
    if (character === '/') this.mode = 'end tag';
    else if (character === '!') this.mode = 'declaration';
    else if (character === '?') this.mode = 'bogus comment';
    else this.mode = 'text';
    return this.mode === 'text' ? index : index + 1;
  }

  private stepEndTag(character: string, index: number): number {
    if (/[a-zA-Z]/.test(character)) return this.startTag('/', index);
    this.mode = character === '>' ? 'text' : 'bogus comment';
    return index + 1;
  }

  /** Starts the tag whose name is at `index`. A closing one keeps its slash, so that it opens no raw element. */
  private startTag(slash: '/' | '', index: number): number {
    this.mode = 'tag';
    this.tag = new TagState(slash);
    return index;
  }

  private stepDeclaration(html: string, index: number): number {
    const declared = this.declared + html.charAt(index);
    if (!isOpening(declared)) {
      this.mode = 'bogus comment';
      return index;
    }
    this.declared = declared;
    if (declared === COMMENT_OPENING) {
      this.mode = 'comment';
      this.commentEnd = 'start';
      this.hides = CONDITIONAL.test(html.slice(index + 1)) ? 'markup' : '';
    } else if (declared === SECTION_OPENING) {
      this.mode = 'bogus comment';
      this.hides = this.isAmbiguous ? 'section' : '';
      this.brackets = 0;
    }
    return index + 1;
  }

  private stepComment(html: string, index: number, alternatives: HtmlState[]): number {
    const character = html.charAt(index);
    if (this.commentEnd === '' && character !== '-' && character !== '>') {
      // Everything up to the dashes or the end of the piece, which may be a `>`.
      const dash = html.indexOf('-', index);
      return dash < 0 ? Math.max(index + 1, html.length - 1) : dash;
    }
    const end = nextCommentEnd(this.commentEnd, character);
    if (end !== 'closed') this.commentEnd = end;
    if (character === '>') this.leaveComment(alternatives, end === 'closed');
    return index + 1;
  }

  /** Processes a `>` in a comment. It may end the comment, and some programs parse what follows differently. */
  private leaveComment(alternatives: HtmlState[], isClosed: boolean): void {
    if (this.hides === 'markup') alternatives.push(this.fork({ mode: 'text' }));
    // `]]>` also ends a section.
    if (this.hides === 'section' && this.brackets < 2)
      alternatives.push(this.fork({ mode: 'section', brackets: 0 }));
    this.hides = '';
    if (isClosed) this.mode = 'text';
  }

  private endTag(alternatives: HtmlState[]): void {
    const { name } = this.tag;
    const { isRaw, isMarkup } = contentOf(name, this.isAmbiguous);
    this.isAmbiguous ||= makesAmbiguous(name);
    if (name === '/script') this.isInScript = false;
    if (isRaw && isMarkup) alternatives.push(this.fork({ mode: 'text', isInScript: name === 'script' }));
    this.mode = isRaw ? 'raw' : 'text';
    this.raw = new RawState(name);
  }
}
