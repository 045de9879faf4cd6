/**
 * Follows the static HTML of a template up to each expression, to know how a value must be escaped there: as text,
 * inside an attribute, inside a link, inside a script. A small state machine, not a parser: it needs to know where
 * tags, attributes and raw elements begin and end, nothing more. Runs once, when a template is compiled.
 *
 * Dark corners:
 * - Outlook's conditional comments (`<!--[if mso]>`) hold markup and are followed like markup.
 * - Branches of a condition are taken to leave the HTML in the same state; the first branch decides.
 * - An expression where an attribute value begins makes the value unquoted.
 */

/** How a value is written at an expression's place. */
export type Place =
  | { readonly kind: 'text' }
  | { readonly kind: 'script' }
  | { readonly kind: 'attribute'; readonly quoted: boolean }
  /** In a link: `start` nothing stands before it, `path` before any `?` or `#`, `query` behind one. */
  | {
      readonly kind: 'link';
      readonly quoted: boolean;
      readonly part: 'start' | 'path' | 'query';
      /** Whether the static text before already settles the scheme, so that a colon is harmless. */
      readonly anchored: boolean;
    };

type Mode = 'text' | 'tag name' | 'tag' | 'attribute name' | 'before value' | 'value' | 'comment' | 'raw';

const linkAttributes = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'background',
  'poster',
  'cite',
  'longdesc',
]);
const rawElements = new Set(['script', 'style', 'title', 'textarea', 'xmp']);

/** The state of the HTML between two pieces. */
export class HtmlPlace {
  private mode: Mode = 'text';
  private tagName = '';
  private attributeName = '';
  private quote = '';
  private linkPart: 'start' | 'path' | 'query' = 'start';
  private anchored = false;

  /** A copy that goes its own way, for the branches of a condition. */
  copy(): HtmlPlace {
    return Object.assign(new HtmlPlace(), this);
  }

  /** How a value is written here; call `passExpression` afterwards. */
  get place(): Place {
    switch (this.mode) {
      case 'text':
      case 'comment':
        return { kind: 'text' };
      case 'raw':
        return { kind: this.tagName === 'script' ? 'script' : 'text' };
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

  /** Notes that a value of unknown text stands here. */
  passExpression(): void {
    if (this.mode === 'before value') this.startValue('');
    if (this.mode === 'value' && this.linkPart === 'start') this.linkPart = 'path';
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
      case 'comment':
        return this.skipTo(html, index, '-->', 'text');
      case 'raw':
        return this.stepRaw(html, index);
      case 'tag name':
        if (/[\s/>]/.test(character)) return this.stepTag(character, index);
        this.tagName += character.toLowerCase();
        return index + 1;
      case 'tag':
        return this.stepTag(character, index);
      case 'attribute name':
        if (character === '=') this.mode = 'before value';
        else if (/[\s/>]/.test(character)) return this.stepTag(character, index);
        else this.attributeName += character.toLowerCase();
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
    if (/[a-zA-Z/!?]/.test(html.charAt(start + 1))) {
      this.mode = 'tag name';
      this.tagName = '';
      // A closing tag keeps its slash in the name, so that it opens no raw element.
      if (html.charAt(start + 1) === '/') this.tagName = '/';
      return this.tagName === '/' ? start + 2 : start + 1;
    }
    return start + 1;
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
    else if (this.linkPart === 'start' && !/\s/.test(character)) this.linkPart = 'path';
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
