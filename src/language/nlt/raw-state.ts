/**
 * Tracks the text of an element whose content is not markup (`<style>`, `<title>`) up to its end tag, as the tokenizer
 * of the HTML standard does: a comment in a script may hide an end tag of a script.
 */
import type { Lookahead } from './address-state.js';
import { StyleState } from './style-state.js';

/** Elements whose content is text, up to their own end tag. */
const RAW_ELEMENTS = new Set([
  'script',
  'style',
  'title',
  'textarea',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
]);
/** Text where scripts run, and markup where they do not. */
const NOSCRIPT = 'noscript';
/** Text up to the end of the document. */
const PLAINTEXT = 'plaintext';
/** Inside these elements, content may be markup although the element's name is in RAW. */
const AMBIGUOUS_ELEMENTS = new Set(['svg', 'math', 'select', 'frameset']);
/** Elements whose content is never shown. */
const HIDDEN_ELEMENTS = new Set(['iframe', 'noembed', 'noframes', NOSCRIPT]);

/** Whether the content of an element may be text, and whether it may be markup. */
export function contentOf(tag: string, isAmbiguous: boolean): { isRaw: boolean; isMarkup: boolean } {
  const isRaw = RAW_ELEMENTS.has(tag) || tag === NOSCRIPT || tag === PLAINTEXT;
  return { isRaw, isMarkup: !isRaw || isAmbiguous || tag === NOSCRIPT };
}

/** Whether elements after this one may be parsed differently from what their names imply. */
export function makesAmbiguous(tag: string): boolean {
  return AMBIGUOUS_ELEMENTS.has(tag);
}

/** One possible state of such a text at a point between two pieces. */
export class RawState {
  readonly style: StyleState | null;
  /** The text from the last `<` on, while it may still become significant. */
  private tail = '';
  /** In a script: whether the text is inside a comment, or inside a `<script` in a comment. */
  private level: 'script' | 'comment' | 'script in comment' = 'script';
  /** The number of preceding dashes that may end a comment in a script, two at most. */
  private dashes = 0;

  constructor(readonly tag: string) {
    this.style = tag === 'style' ? new StyleState() : null;
  }

  copy(): RawState {
    return Object.assign(new RawState(this.tag), this, { style: this.style?.copy() ?? null });
  }

  /** Equal for states that behave the same from here on. */
  get key(): string {
    return `${this.tag} ${this.tail} ${this.level} ${this.dashes} ${this.style?.key ?? ''}`;
  }

  get isHidden(): boolean {
    return HIDDEN_ELEMENTS.has(this.tag);
  }

  /**
   * Whether letters of a value here could end the element, or open something.
   * @param isAmbiguous whether the text may be parsed as markup after all.
   */
  isOpen(isAmbiguous: boolean): boolean {
    const isHarmless = !isAmbiguous && this.tag === 'script' && this.level === 'script' && this.tail === '<';
    return this.tail !== '' && !isHarmless;
  }

  merge(other: RawState): void {
    if (this.style !== null && other.style !== null) this.style.merge(other.style);
  }

  /** The possible states after a value, which may be empty and has no `<` and no `>`. */
  afterExpression(lookahead: Lookahead): RawState[] {
    this.style?.passValue(lookahead);
    const ends = this.level === 'script' ? [0] : [0, 1, 2];
    return [this, ...ends.map((dashes) => Object.assign(this.copy(), { tail: '', dashes }))];
  }

  /** Processes one character. @returns false for the character after the end tag's name, which ends the element. */
  pass(character: string): boolean {
    const word = this.tail.toLowerCase();
    if (word !== '' && /[\t\n\f\r />]/.test(character)) {
      if (word === `</${this.tag}` && this.level !== 'script in comment') return false;
      if (word === '</script') this.level = 'comment';
      else if (word === '<script') this.level = 'script in comment';
    }
    this.style?.pass(character);
    this.passDashes(character);
    this.tail = this.maySignify(this.tail + character) ? this.tail + character : '';
    if (this.tail === '' && character === '<') this.tail = character;
    if (this.tail !== '<!--') return true;
    // The dashes that open a comment also count towards its end.
    this.level = 'comment';
    this.dashes = 2;
    this.tail = '';
    return true;
  }

  private passDashes(character: string): void {
    if (character === '>' && this.dashes === 2) this.level = 'script';
    this.dashes = character === '-' && this.level !== 'script' ? Math.min(this.dashes + 1, 2) : 0;
  }

  private maySignify(text: string): boolean {
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
