/**
 * Follows the text of an element whose content is no markup (`<style>`, `<title>`) up to the end tag that ends it, as
 * the tokenizer of the HTML standard does: a comment in a script may hide the end tag of a script inside of it.
 */
import type { Joint } from './address-state.js';
import { StyleState } from './style-state.js';

/** The elements whose content is text, up to their own end tag. */
const RAW = new Set(['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes']);
/** Is text where scripts run, and markup where none do. */
const NOSCRIPT = 'noscript';
/** Is text up to the end of the document. */
const PLAINTEXT = 'plaintext';
/** Where the content of an element may be markup although its name is one of those. */
const UNLIKE_HTML = new Set(['svg', 'math', 'select', 'frameset']);
/** Whose content nobody is shown. */
const HIDDEN = new Set(['iframe', 'noembed', 'noframes', NOSCRIPT]);

/** Whether the content of an element may be text, and whether it may be markup. */
export function contentOf(tag: string, isLoose: boolean): { isRaw: boolean; isMarkup: boolean } {
  const isRaw = RAW.has(tag) || tag === NOSCRIPT || tag === PLAINTEXT;
  return { isRaw, isMarkup: !isRaw || isLoose || tag === NOSCRIPT };
}

/** Whether elements behind this one may be read in another way than by their names. */
export function loosens(tag: string): boolean {
  return UNLIKE_HTML.has(tag);
}

/** One state of such a text between two pieces. */
export class RawState {
  readonly style: StyleState | null;
  /** From the last `<`, while that may still become what means something. */
  private tail = '';
  /** In a script: inside of a comment, and of a `<script` in a comment. */
  private level: 'script' | 'comment' | 'script in comment' = 'script';
  /** How many of the dashes that end a comment in a script stand behind, two at most. */
  private dashes = 0;

  constructor(readonly tag: string) {
    this.style = tag === 'style' ? new StyleState() : null;
  }

  copy(): RawState {
    return Object.assign(new RawState(this.tag), this, { style: this.style?.copy() ?? null });
  }

  /** Equal for states that go on alike. */
  get key(): string {
    return `${this.tag} ${this.tail} ${this.level} ${this.dashes} ${this.style?.key ?? ''}`;
  }

  get isHidden(): boolean {
    return HIDDEN.has(this.tag);
  }

  /**
   * Whether letters of a value here could end the element, or open something.
   * @param isLoose whether the text may be markup after all.
   */
  isOpen(isLoose: boolean): boolean {
    const isHarmless = !isLoose && this.tag === 'script' && this.level === 'script' && this.tail === '<';
    return this.tail !== '' && !isHarmless;
  }

  adopt(other: RawState): void {
    if (this.style !== null && other.style !== null) this.style.adopt(other.style);
  }

  /** The states behind a value, which may be empty and has no `<` and no `>`. */
  afterExpression(joint: Joint): RawState[] {
    this.style?.passValue(joint);
    const ends = this.level === 'script' ? [0] : [0, 1, 2];
    return [this, ...ends.map((dashes) => Object.assign(this.copy(), { tail: '', dashes }))];
  }

  /** Goes through one character. @returns false for the one behind the end tag's name, which ends the element. */
  pass(character: string): boolean {
    const word = this.tail.toLowerCase();
    if (word !== '' && /[\t\n\f\r />]/.test(character)) {
      if (word === `</${this.tag}` && this.level !== 'script in comment') return false;
      if (word === '</script') this.level = 'comment';
      else if (word === '<script') this.level = 'script in comment';
    }
    this.style?.pass(character);
    this.passDashes(character);
    this.tail = this.isBeginning(this.tail + character) ? this.tail + character : '';
    if (this.tail === '' && character === '<') this.tail = character;
    if (this.tail !== '<!--') return true;
    // The dashes that open a comment are those that may end it.
    this.level = 'comment';
    this.dashes = 2;
    this.tail = '';
    return true;
  }

  private passDashes(character: string): void {
    if (character === '>' && this.dashes === 2) this.level = 'script';
    this.dashes = character === '-' && this.level !== 'script' ? Math.min(this.dashes + 1, 2) : 0;
  }

  private isBeginning(text: string): boolean {
    const word = text.toLowerCase();
    if (!word.startsWith('<') || this.tag === PLAINTEXT) return false;
    if (`</${this.tag}`.startsWith(word)) return true;
    if (this.tag !== 'script') return false;
    return (
      (this.level === 'script' && '<!--'.startsWith(word)) ||
      (this.level === 'comment' && '<script'.startsWith(word))
    );
  }
}
