/**
 * One possible state of a tag from its name on: its attributes and their values, as the tokenizer of the HTML standard
 * parses them.
 *
 * Edge cases:
 * - An expression at the start of an attribute value makes the value unquoted; an empty one leaves its start open.
 * - An attribute whose name contains a value (`{the x}="{the y}"`) may be any attribute: its value is escaped as in a
 *   script.
 */
import { AddressState, type Lookahead } from './address-state.js';
import { type AttributeKind, attributeKind } from './attribute-kinds.js';
import { contentOfKind, contextInAttribute, type ValueContent } from './content-context.js';
import type { EscapeContext } from './escape-context.js';
import { RefreshState } from './refresh-state.js';
import { StyleState } from './style-state.js';

/** The named character references that matter to an address or a style: those of characters with a meaning there. */
const NAMED_REFERENCES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  colon: ':',
  lpar: '(',
  NewLine: '\n',
  num: '#',
  quest: '?',
  quot: '"',
  rpar: ')',
  sol: '/',
  Tab: '\t',
};

/** Browsers also accept a numeric reference without its semicolon. */
const REFERENCE = /&(?:#(\d+);?|#[xX]([0-9a-fA-F]+);?|([a-zA-Z]+);)/y;

/** An incomplete reference at the end of a text. */
const OPEN_REFERENCE = /^&(?:#[xX]?)?[0-9a-zA-Z]*$/;

/** The character that the reference at `index` encodes, and the offset after it; null if there is no such reference. */
function referenceAt(html: string, index: number): { character: string; end: number } | null {
  REFERENCE.lastIndex = index;
  const match = REFERENCE.exec(html);
  if (match === null) return null;
  const [, decimal, hexadecimal, name = ''] = match;
  const end = REFERENCE.lastIndex;
  if (decimal === undefined && hexadecimal === undefined) {
    return Object.hasOwn(NAMED_REFERENCES, name) ? { character: NAMED_REFERENCES[name] ?? '', end } : null;
  }
  const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : parseInt(decimal, 10);
  return { character: code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd', end };
}

type Mode = 'name' | 'between' | 'attribute name' | 'before value' | 'value';

/** The properties in which a fork may differ from its original. */
interface StateChanges {
  readonly mode?: Mode;
  readonly name?: string;
  readonly attributeName?: string;
}

/** No relevant name is longer; only a hostile template has longer ones. */
const MAX_NAME_LENGTH = 64;
/** The name of an attribute that contains a value; no attribute has it. */
const UNKNOWN_ATTRIBUTE = '?';
/** Represents the name of a tag that ends in digits; none of those is raw. */
const NUMBERED_TAG = '0';

const SPACE = '\t\n\f\r ';

/** One possible state of a tag at a point between two pieces. */
export class TagState {
  private mode: Mode = 'name';
  private attributeName = '';
  private quote = '';
  /** The state inside the attribute's value, if it is tracked. */
  private content: ValueContent = null;
  /** Whether the text ends in an incomplete character reference that a value could complete: `&`, `&#`, `&#10`. */
  private opensReference = false;

  /** @param name the part read so far: `/` for a closing tag. */
  constructor(public name: string) {}

  copy(): TagState {
    return this.fork({});
  }

  /** Equal for states that behave the same from here on. */
  get key(): string {
    const { mode, name, attributeName, quote, content } = this;
    if (mode === 'name') return name;
    const value = mode === 'value' ? `${quote} ${content?.key ?? ''}` : '';
    return `${mode} ${name} ${attributeName} ${value}`;
  }

  /** Merges `other`, which has the same key, into this state. */
  merge({ content, opensReference }: TagState): void {
    this.opensReference ||= opensReference;
    if (this.content instanceof AddressState && content instanceof AddressState) this.content.merge(content);
    if (this.content instanceof RefreshState && content instanceof RefreshState) this.content.merge(content);
    if (this.content instanceof StyleState && content instanceof StyleState) this.content.merge(content);
  }

  get context(): EscapeContext {
    switch (this.mode) {
      case 'name':
        return { kind: 'tag' };
      case 'before value':
        return this.copy().startValue('').context;
      case 'value':
        return this.valueContext(this.quote !== '');
      default:
        return { kind: 'attribute', quoted: false };
    }
  }

  private valueContext(quoted: boolean): EscapeContext {
    const { kind, content } = this;
    const context = contextInAttribute(kind, content, quoted);
    const makesCharacter = this.opensReference && context.kind === 'link' && !context.anchored;
    return makesCharacter ? { ...context, part: 'reference' } : context;
  }

  private get kind(): AttributeKind {
    if (this.attributeName === UNKNOWN_ATTRIBUTE) return 'script';
    return attributeKind(this.name, this.attributeName);
  }

  /** The possible states after a value here, which may be empty. */
  afterExpression(lookahead: Lookahead): TagState[] {
    switch (this.mode) {
      case 'name':
        // Only digits, as in <h1>.
        return [this, this.fork({ name: NUMBERED_TAG })];
      case 'between':
      case 'attribute name':
        return [this, this.fork({ mode: 'attribute name', attributeName: UNKNOWN_ATTRIBUTE })];
      case 'before value':
        return [this, ...this.copy().startValue('').afterExpression(lookahead)];
      case 'value':
        this.content?.passValue(lookahead);
        this.joinReference();
        return [this];
    }
  }

  /** The text that follows may turn an incomplete reference into a colon. */
  private joinReference(): void {
    const { content } = this;
    const isFollowed = content instanceof AddressState || content instanceof RefreshState;
    if (this.opensReference && isFollowed) content.markAsScheme();
  }

  private fork(changes: StateChanges): TagState {
    return Object.assign(new TagState(this.name), this, { content: this.content?.copy() ?? null }, changes);
  }

  /** Records the start of a piece of static HTML. */
  startPiece(): void {
    this.joinReference();
    this.opensReference = false;
  }

  /**
   * Processes the text at `index`.
   * @returns where to continue; null at the `>` that ends the tag.
   */
  step(html: string, index: number): number | null {
    const character = html.charAt(index);
    switch (this.mode) {
      case 'name':
        if (isEnd(character)) return this.stepBetween(character, index);
        if (this.name.length < MAX_NAME_LENGTH) this.name += character.toLowerCase();
        return index + 1;
      case 'between':
        return this.stepBetween(character, index);
      case 'attribute name':
        if (character === '=') this.mode = 'before value';
        else if (isEnd(character)) return this.stepBetween(character, index);
        else if (this.attributeName.length < MAX_NAME_LENGTH && this.attributeName !== UNKNOWN_ATTRIBUTE)
          this.attributeName += character.toLowerCase();
        return index + 1;
      case 'before value':
        if (character === '>') return null;
        if (character === '"' || character === "'") this.startValue(character);
        else if (!SPACE.includes(character)) {
          this.startValue('');
          return index;
        }
        return index + 1;
      case 'value':
        return this.stepValue(html, index);
    }
  }

  private stepBetween(character: string, index: number): number | null {
    if (character === '>') return null;
    if (character === '=' && this.mode === 'between' && this.attributeName !== '') {
      this.mode = 'before value';
    } else if (isEnd(character)) {
      this.mode = 'between';
      if (character === '/') this.attributeName = '';
    } else {
      this.mode = 'attribute name';
      this.attributeName = character.toLowerCase();
    }
    return index + 1;
  }

  private startValue(quote: string): this {
    this.mode = 'value';
    this.quote = quote;
    this.content = contentOfKind(this.kind);
    return this;
  }

  private stepValue(html: string, index: number): number {
    const character = html.charAt(index);
    const ends =
      this.quote === '' ? character === '>' || SPACE.includes(character) : character === this.quote;
    if (ends) {
      this.mode = 'between';
      this.attributeName = '';
      this.content = null;
      return this.quote === '' && character === '>' ? index : index + 1;
    }
    if (this.content === null) return this.quote === '' ? index + 1 : indexOrEnd(html, this.quote, index);
    const isNearEnd = html.length - index <= MAX_NAME_LENGTH;
    if (character === '&' && isNearEnd && OPEN_REFERENCE.test(html.slice(index))) {
      this.opensReference = true;
      return html.length;
    }
    const reference = character === '&' ? referenceAt(html, index) : null;
    this.content.pass(reference?.character ?? character);
    return reference?.end ?? index + 1;
  }
}

/** The offset of the text from `index` on, or the end. */
function indexOrEnd(html: string, text: string, index: number): number {
  const found = html.indexOf(text, index);
  return found < 0 ? html.length : found;
}

/** Whether a character ends a name in a tag. */
function isEnd(character: string): boolean {
  return character === '/' || character === '>' || SPACE.includes(character);
}
