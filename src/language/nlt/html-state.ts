/**
 * One state that the HTML of a template may be in: a small state machine that goes from character to character as the
 * tokenizer of the HTML standard does, and knows where tags, attributes, comments and raw elements begin and end.
 *
 * Dark corners:
 * - Outlook's conditional comments (`<!--[if mso]>`) hold markup for Outlook and none for browsers: both are followed.
 * - A value right behind a lone `<` (`Ann <{the user's Email}>`) must not become the name of a tag.
 * - Behind `<svg>` and its like a `<title>` may hold markup, and `<![CDATA[` be what it says: both are followed.
 */
import type { Joint } from './address-state.js';
import { placeInRaw } from './content-place.js';
import {
  bracketsAfter,
  COMMENT,
  COMMENT_ENDS,
  commentAfter,
  type CommentEnd,
  isOpening,
  SECTION,
} from './markup-state.js';
import type { Place } from './place.js';
import { contentOf, loosens, RawState } from './raw-state.js';
import { TagState } from './tag-state.js';

type Mode =
  'text' | 'less' | 'end tag' | 'declaration' | 'comment' | 'bogus comment' | 'section' | 'tag' | 'raw';

/** In what a state may be another one than that from which it comes. */
interface Difference {
  readonly mode?: Mode;
  readonly commentEnd?: CommentEnd;
  readonly brackets?: number;
  readonly tag?: TagState;
  readonly raw?: RawState;
  readonly isInScript?: boolean;
}

const CONDITIONAL = /^\s*\[if\b/i;

/** One state of the HTML between two pieces. */
export class HtmlState {
  private mode: Mode = 'text';
  /** The tag that this is in, or the last one. */
  private tag = new TagState('');
  /** What the raw element holds that this is in, or the last one. */
  private raw = new RawState('');
  /** What stands behind `<!`. */
  private declared = '';
  private commentEnd: CommentEnd = 'start';
  /** Whether behind the next `>` of this comment Outlook's markup begins, or that of a section. */
  private hides: 'markup' | 'section' | '' = '';
  /** The brackets behind, which may end a section. */
  private brackets = 0;
  /** Whether elements may hold what they do not by their names. */
  private isLoose = false;
  /** Whether the text is that of a script whose content is read as markup. */
  private isInScript = false;

  copy(): HtmlState {
    return Object.assign(new HtmlState(), this, { tag: this.tag.copy(), raw: this.raw.copy() });
  }

  /** Equal for states that go on alike. */
  get key(): string {
    return `${this.isLoose} ${this.isInScript} ${this.mode} ${this.inMode}`;
  }

  private get inMode(): string {
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

  /** Makes this state hold for `other`, which has the same key, as well. */
  adopt({ tag, raw }: HtmlState): void {
    this.tag.adopt(tag);
    this.raw.adopt(raw);
  }

  get place(): Place {
    switch (this.mode) {
      case 'text':
      case 'less':
      case 'section':
        if (this.isInScript) return { kind: 'script', quoted: true };
        return { kind: 'text', afterLess: this.mode === 'less' };
      case 'comment':
      case 'bogus comment':
        return { kind: 'comment' };
      case 'raw':
        return placeInRaw(this.raw, this.isLoose);
      case 'tag':
        return this.tag.place;
      case 'end tag':
      case 'declaration':
        return { kind: 'tag' };
    }
  }

  /** The states behind a value here, which may be empty. */
  afterExpression(joint: Joint): HtmlState[] {
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
        return this.raw.afterExpression(joint).map((raw) => this.fork({ raw }));
      case 'tag':
        return this.tag.afterExpression(joint).map((tag) => this.fork({ tag }));
      case 'bogus comment':
        return this.hides === 'section' ? [0, 1, 2].map((brackets) => this.fork({ brackets })) : [this];
      case 'text':
        return [this];
    }
  }

  /** A copy that is different in this. */
  private fork(different: Difference): HtmlState {
    return Object.assign(this.copy(), different);
  }

  /**
   * Goes through a piece of static HTML that has `>` at its end at most.
   * @returns the states behind it: this one, and what else it may be.
   */
  passText(html: string): HtmlState[] {
    if (html === '') return [this];
    this.tag.startPiece();
    const beside: HtmlState[] = [];
    let index = 0;
    while (index < html.length) index = this.step(html, index, beside);
    return [this, ...beside];
  }

  private step(html: string, index: number, beside: HtmlState[]): number {
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
        return this.stepComment(html, index, beside);
      case 'bogus comment':
        if (character === '>') this.leaveComment(beside, true);
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
        if (next === null) this.endTag(beside);
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

  /** Begins the tag whose name is at `index`. A closing one keeps its slash, so that it opens no raw element. */
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
    if (declared === COMMENT) {
      this.mode = 'comment';
      this.commentEnd = 'start';
      this.hides = CONDITIONAL.test(html.slice(index + 1)) ? 'markup' : '';
    } else if (declared === SECTION) {
      this.mode = 'bogus comment';
      this.hides = this.isLoose ? 'section' : '';
      this.brackets = 0;
    }
    return index + 1;
  }

  private stepComment(html: string, index: number, beside: HtmlState[]): number {
    const character = html.charAt(index);
    if (this.commentEnd === '' && character !== '-' && character !== '>') {
      // All there is up to the dashes or the end of the piece, where a `>` may stand.
      const dash = html.indexOf('-', index);
      return dash < 0 ? Math.max(index + 1, html.length - 1) : dash;
    }
    const end = commentAfter(this.commentEnd, character);
    if (end !== 'closed') this.commentEnd = end;
    if (character === '>') this.leaveComment(beside, end === 'closed');
    return index + 1;
  }

  /** At a `>` of a comment, which may be its end, and behind which something else may be read by some. */
  private leaveComment(beside: HtmlState[], isClosed: boolean): void {
    if (this.hides === 'markup') beside.push(this.fork({ mode: 'text' }));
    // Behind `]]>` a section has ended, too.
    if (this.hides === 'section' && this.brackets < 2)
      beside.push(this.fork({ mode: 'section', brackets: 0 }));
    this.hides = '';
    if (isClosed) this.mode = 'text';
  }

  private endTag(beside: HtmlState[]): void {
    const { name } = this.tag;
    const { isRaw, isMarkup } = contentOf(name, this.isLoose);
    this.isLoose ||= loosens(name);
    if (name === '/script') this.isInScript = false;
    if (isRaw && isMarkup) beside.push(this.fork({ mode: 'text', isInScript: name === 'script' }));
    this.mode = isRaw ? 'raw' : 'text';
    this.raw = new RawState(name);
  }
}
