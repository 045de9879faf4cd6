/**
 * One state that the HTML of a template may be in: a small state machine, not a parser. It needs to know where tags,
 * attributes and raw elements begin and end, nothing more.
 *
 * Dark corners:
 * - Outlook's conditional comments (`<!--[if mso]>`) hold markup and are followed like markup.
 * - An expression where an attribute value begins makes the value unquoted.
 * - A value right behind a lone `<` (`Ann <{the user's Email}>`) must not become the name of a tag.
 */

/** How a value is written at an expression's place. */
export type Place =
  | {
      readonly kind: 'text';
      /** Whether a `<` stands right before, which the value's first letter would make a tag. */
      readonly afterLess: boolean;
    }
  | { readonly kind: 'script' }
  | { readonly kind: 'attribute'; readonly quoted: boolean }
  | LinkPlace
  /** The branches before leave it open where this is. */
  | { readonly kind: 'unsure' };

export interface LinkPlace {
  readonly kind: 'link';
  readonly quoted: boolean;
  /** `start`: nothing stands before; `slash`: one slash does; `query`: behind `?` or `#`; `path`: anywhere else. */
  readonly part: LinkPart;
  /** Whether the static text before already settles the scheme, so that a colon is harmless. */
  readonly anchored: boolean;
}

type LinkPart = 'start' | 'slash' | 'path' | 'query';
type Mode =
  'text' | 'less' | 'tag name' | 'tag' | 'attribute name' | 'before value' | 'value' | 'comment' | 'raw';

/** Longer names are none that matter here, and only a hostile template has them. */
const MAX_NAME = 64;

const linkAttributes = new Set([
  'href',
  'xlink:href',
  'src',
  'data',
  'action',
  'formaction',
  'background',
  'poster',
  'cite',
  'longdesc',
]);
const rawElements = new Set(['script', 'style', 'title', 'textarea', 'xmp']);

/** One state of the HTML between two pieces. */
export class HtmlState {
  private mode: Mode = 'text';
  private tagName = '';
  private attributeName = '';
  private quote = '';
  private linkPart: LinkPart = 'start';
  private anchored = false;

  copy(): HtmlState {
    return Object.assign(new HtmlState(), this);
  }

  /** Equal for states that go on alike. */
  get key(): string {
    const { mode, tagName, attributeName, quote, linkPart, anchored } = this;
    if (mode === 'text' || mode === 'less' || mode === 'comment') return mode;
    if (mode === 'raw' || mode === 'tag name') return `${mode} ${tagName}`;
    const value = mode === 'value' ? ` ${quote} ${linkPart} ${anchored}` : '';
    return `${mode} ${tagName} ${attributeName}${value}`;
  }

  get place(): Place {
    switch (this.mode) {
      case 'text':
      case 'less':
      case 'comment':
        return { kind: 'text', afterLess: this.mode === 'less' };
      case 'raw':
        return this.tagName === 'script' ? { kind: 'script' } : { kind: 'text', afterLess: false };
      case 'before value':
      case 'value': {
        const quoted = this.mode === 'value' && this.quote !== '';
        if (!linkAttributes.has(this.attributeName)) return { kind: 'attribute', quoted };
        const part = this.mode === 'value' ? this.linkPart : 'start';
        return { kind: 'link', quoted, part, anchored: this.mode === 'value' && this.anchored };
      }
      default:
        return { kind: 'attribute', quoted: false };
    }
  }

  /** The states behind a value here, which may be empty. */
  afterExpression(): HtmlState[] {
    if (this.mode === 'less') return [this, new HtmlState()];
    if (this.mode === 'before value') this.startValue('');
    if (this.mode === 'value' && this.linkPart === 'start') this.linkPart = 'path';
    return [this];
  }

  /** Goes through a piece of static HTML. */
  passText(html: string): void {
    let index = 0;
    while (index < html.length) index = this.step(html, index);
  }

  private step(html: string, index: number): number {
    const character = html.charAt(index);
    switch (this.mode) {
      case 'text':
        return this.stepText(html, index);
      case 'less':
        this.mode = 'text';
        return /[a-zA-Z/!?]/.test(character) ? this.startTag(html, index) : index;
      case 'comment':
        return this.skipTo(html, index, '-->', 'text');
      case 'raw':
        return this.stepRaw(html, index);
      case 'tag name':
        if (/[\s/>]/.test(character)) return this.stepTag(character, index);
        if (this.tagName.length < MAX_NAME) this.tagName += character.toLowerCase();
        return index + 1;
      case 'tag':
        return this.stepTag(character, index);
      case 'attribute name':
        if (character === '=') this.mode = 'before value';
        else if (/[\s/>]/.test(character)) return this.stepTag(character, index);
        else if (this.attributeName.length < MAX_NAME) this.attributeName += character.toLowerCase();
        return index + 1;
      case 'before value':
        if (character === '>') return this.stepTag(character, index);
        if (character === '"' || character === "'") this.startValue(character);
        else if (!/\s/.test(character)) {
          this.startValue('');
          return index;
        }
        return index + 1;
      case 'value':
        return this.stepValue(character, index);
    }
  }

  private stepText(html: string, index: number): number {
    const start = html.indexOf('<', index);
    if (start < 0) return html.length;
    if (html.startsWith('<!--', start)) {
      const conditional = /^<!--\s*\[if\b[^>]*>/i.exec(html.slice(start, start + 200));
      if (conditional !== null) return start + conditional[0].length;
      this.mode = 'comment';
      return start + 4;
    }
    if (start + 1 === html.length) this.mode = 'less';
    return /[a-zA-Z/!?]/.test(html.charAt(start + 1)) ? this.startTag(html, start + 1) : start + 1;
  }

  /** Begins the tag whose name is at `index`. A closing one keeps its slash, so that it opens no raw element. */
  private startTag(html: string, index: number): number {
    this.mode = 'tag name';
    this.tagName = html.charAt(index) === '/' ? '/' : '';
    return this.tagName === '/' ? index + 1 : index;
  }

  private stepTag(character: string, index: number): number {
    if (character === '>') {
      this.mode = rawElements.has(this.tagName) ? 'raw' : 'text';
    } else if (character === '=' && this.mode === 'tag' && this.attributeName !== '') {
      this.mode = 'before value';
    } else if (/[\s/]/.test(character)) {
      this.mode = 'tag';
    } else {
      this.mode = 'attribute name';
      this.attributeName = character.toLowerCase();
    }
    return index + 1;
  }

  private startValue(quote: string): void {
    this.mode = 'value';
    this.quote = quote;
    this.linkPart = 'start';
    this.anchored = false;
  }

  private stepValue(character: string, index: number): number {
    const ends = this.quote === '' ? /[\s>]/.test(character) : character === this.quote;
    if (ends) {
      this.mode = 'tag';
      this.attributeName = '';
      return this.quote === '' && character === '>' ? index : index + 1;
    }
    if (character === '?' || character === '#') this.linkPart = 'query';
    else if (this.linkPart === 'start' && character === '/') this.linkPart = 'slash';
    else if (this.linkPart === 'slash' || (this.linkPart === 'start' && !/\s/.test(character))) {
      this.linkPart = 'path';
    }
    if (/[:/?#]/.test(character)) this.anchored = true;
    return index + 1;
  }

  private stepRaw(html: string, index: number): number {
    const start = html.indexOf('</', index);
    if (start < 0) return html.length;
    const name = html.slice(start + 2, start + 2 + this.tagName.length).toLowerCase();
    if (name !== this.tagName) return start + 2;
    this.mode = 'tag name';
    this.tagName = '/';
    return start + 2;
  }

  private skipTo(html: string, index: number, end: string, next: Mode): number {
    const found = html.indexOf(end, index);
    if (found < 0) return html.length;
    this.mode = next;
    return found + end.length;
  }
}
