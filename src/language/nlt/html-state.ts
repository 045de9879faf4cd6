/**
 * One state that the HTML of a template may be in: a small state machine, not a parser. It needs to know where tags,
 * attributes and raw elements begin and end, nothing more.
 *
 * Dark corners:
 * - Outlook's conditional comments (`<!--[if mso]>`) hold markup and are followed like markup.
 * - An expression where an attribute value begins makes the value unquoted; an empty one leaves its beginning open.
 * - A value right behind a lone `<` (`Ann <{the user's Email}>`) must not become the name of a tag.
 * - An attribute whose name holds a value (`{the x}="{the y}"`) may be any: what it holds is written as in a script.
 */
import { AddressState, type Joint } from './address-state.js';
import { type AttributeKind, attributeKind } from './attribute-kinds.js';
import { OPEN_REFERENCE, referenceAt } from './character-references.js';
import type { LinkPlace, Place } from './place.js';
import { StyleState } from './style-state.js';

type Mode =
  'text' | 'less' | 'tag name' | 'tag' | 'attribute name' | 'before value' | 'value' | 'comment' | 'raw';

/** Longer names are none that matter here, and only a hostile template has them. */
const MAX_NAME = 64;
/** The name of an attribute that holds a value; no attribute has it. */
const UNKNOWN = '?';
/** Stands for the name of a tag that ends in digits; none of those is raw. */
const NUMBERED = '0';

const rawElements = new Set(['script', 'style', 'title', 'textarea', 'xmp']);

/** One state of the HTML between two pieces. */
export class HtmlState {
  private mode: Mode = 'text';
  private tagName = '';
  private attributeName = '';
  private quote = '';
  /** What the attribute's value or the style element holds, where that is followed. */
  private content: AddressState | StyleState | null = null;
  /** Whether the text ends in what a value could make a character reference of: `&`, `&#`, `&#10`. */
  private opensReference = false;

  copy(): HtmlState {
    return Object.assign(new HtmlState(), this, { content: this.content?.copy() ?? null });
  }

  /** Equal for states that go on alike. */
  get key(): string {
    const { mode, tagName, attributeName, quote, content } = this;
    if (mode === 'text' || mode === 'less' || mode === 'comment') return mode;
    if (mode === 'tag name') return `${mode} ${tagName}`;
    if (mode === 'raw') return `${mode} ${tagName} ${content?.key ?? ''}`;
    const value = mode === 'value' ? ` ${quote} ${content?.key ?? ''}` : '';
    return `${mode} ${tagName} ${attributeName}${value}`;
  }

  /** Makes this state hold for `other`, which has the same key, as well. */
  adopt({ content, opensReference }: HtmlState): void {
    this.opensReference ||= opensReference;
    if (this.content instanceof AddressState && content instanceof AddressState) this.content.adopt(content);
    if (this.content instanceof StyleState && content instanceof StyleState) this.content.adopt(content);
  }

  get place(): Place {
    switch (this.mode) {
      case 'text':
      case 'less':
      case 'comment':
        return { kind: 'text', afterLess: this.mode === 'less' };
      case 'raw':
        if (this.tagName === 'script') return { kind: 'script', quoted: true };
        return this.tagName === 'style' ? this.stylePlace(true) : { kind: 'text', afterLess: false };
      case 'before value':
        return this.copy().startValue('').place;
      case 'value':
        return this.valuePlace(this.quote !== '');
      case 'tag name':
        return { kind: 'tag' };
      default:
        return { kind: 'attribute', quoted: false };
    }
  }

  private valuePlace(quoted: boolean): Place {
    const { kind, content } = this;
    if (kind === 'script') return { kind, quoted };
    if (kind === 'style') return this.stylePlace(quoted);
    if (kind === 'plain' || !(content instanceof AddressState)) return { kind: 'attribute', quoted };
    const place = addressPlace(content, quoted, kind === 'picture', 'html');
    const makesCharacter = this.opensReference && place.kind === 'link' && !place.anchored;
    return makesCharacter ? { ...place, part: 'reference' } : place;
  }

  private stylePlace(quoted: boolean): Place {
    const address = this.content instanceof StyleState ? this.content.address : null;
    const inElement = this.mode === 'raw';
    if (address === null) return { kind: 'style', quoted, inElement };
    return addressPlace(address, quoted, true, inElement ? 'style element' : 'style attribute');
  }

  private get kind(): AttributeKind {
    if (this.attributeName === UNKNOWN) return 'script';
    return attributeKind(this.tagName, this.attributeName);
  }

  /** The states behind a value here, which may be empty. */
  afterExpression(joint: Joint): HtmlState[] {
    switch (this.mode) {
      case 'less':
        return [this, new HtmlState()];
      case 'tag name':
        // Digits at most, as in <h1>.
        return [this, Object.assign(this.copy(), { tagName: NUMBERED })];
      case 'tag':
      case 'attribute name':
        return [this, Object.assign(this.copy(), { mode: 'attribute name', attributeName: UNKNOWN })];
      case 'before value':
        return [this, ...this.copy().startValue('').afterExpression(joint)];
      default:
        this.content?.passValue(joint);
        this.joinReference();
        return [this];
    }
  }

  /** What has begun as a reference may become a colon by what follows. */
  private joinReference(): void {
    if (this.opensReference && this.content instanceof AddressState) this.content.join();
  }

  /** Goes through a piece of static HTML. */
  passText(html: string): void {
    if (html === '') return;
    this.joinReference();
    this.opensReference = false;
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
        else if (this.attributeName.length < MAX_NAME && this.attributeName !== UNKNOWN)
          this.attributeName += character.toLowerCase();
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
        return this.stepValue(html, index);
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
    this.attributeName = '';
    this.tagName = html.charAt(index) === '/' ? '/' : '';
    return this.tagName === '/' ? index + 1 : index;
  }

  private stepTag(character: string, index: number): number {
    if (character === '>') {
      this.mode = rawElements.has(this.tagName) ? 'raw' : 'text';
      this.content = this.mode === 'raw' && this.tagName === 'style' ? new StyleState() : null;
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

  private startValue(quote: string): this {
    this.mode = 'value';
    this.quote = quote;
    const { kind } = this;
    const isAddress = kind === 'link' || kind === 'picture';
    this.content = isAddress ? new AddressState() : kind === 'style' ? new StyleState() : null;
    return this;
  }

  private stepValue(html: string, index: number): number {
    const character = html.charAt(index);
    const ends = this.quote === '' ? /[\s>]/.test(character) : character === this.quote;
    if (ends) {
      this.mode = 'tag';
      this.attributeName = '';
      this.content = null;
      return this.quote === '' && character === '>' ? index : index + 1;
    }
    if (this.content === null) return index + 1;
    const isNearEnd = html.length - index <= MAX_NAME;
    if (character === '&' && isNearEnd && OPEN_REFERENCE.test(html.slice(index))) {
      this.opensReference = true;
      return html.length;
    }
    const reference = character === '&' ? referenceAt(html, index) : null;
    this.content.pass(reference?.character ?? character);
    return reference?.end ?? index + 1;
  }

  private stepRaw(html: string, index: number): number {
    const start = html.indexOf('</', index);
    const end = start < 0 ? html.length : start;
    if (this.content !== null) for (const character of html.slice(index, end)) this.content.pass(character);
    if (start < 0) return html.length;
    const name = html.slice(start + 2, start + 2 + this.tagName.length).toLowerCase();
    if (name !== this.tagName) return start + 2;
    this.mode = 'tag name';
    this.tagName = '/';
    this.content = null;
    return start + 2;
  }

  private skipTo(html: string, index: number, end: string, next: Mode): number {
    const found = html.indexOf(end, index);
    if (found < 0) return html.length;
    this.mode = next;
    return found + end.length;
  }
}

function addressPlace(
  address: AddressState,
  quoted: boolean,
  isPicture: boolean,
  within: LinkPlace['within'],
): Place {
  if (address.runs) return { kind: 'script', quoted };
  const { part, isAnchored } = address;
  return { kind: 'link', quoted, part, anchored: isAnchored, isPicture, within };
}
