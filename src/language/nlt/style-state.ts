/**
 * Follows static CSS up to each value in it: inside of `url(` a value is an address, elsewhere it is a word or a text.
 */
import { AddressState, type Joint } from './address-state.js';

/** One state of a style attribute or element between two pieces. */
export class StyleState {
  /** The address that the text is in. */
  address: AddressState | null = null;
  /** What may become a `url(`. */
  private tail = '';

  copy(): StyleState {
    return Object.assign(new StyleState(), this, { address: this.address?.copy() ?? null });
  }

  /** Equal for states that go on alike. */
  get key(): string {
    return this.address === null ? this.tail : `url ${this.address.key}`;
  }

  /** Makes this state hold for `other`, which has the same key, as well. */
  adopt(other: StyleState): void {
    if (this.address !== null && other.address !== null) this.address.adopt(other.address);
  }

  /** Notes that a value of unknown text stands here. */
  passValue(joint: Joint): void {
    this.address?.passValue(joint);
  }

  /** Goes through one character, as HTML has decoded it. */
  pass(character: string): void {
    if (this.address !== null) {
      if (character === ')') this.address = null;
      else if (!/["'\s]/.test(character)) this.address.pass(character);
      return;
    }
    if (this.tail === '' && character !== 'u' && character !== 'U') return;
    const [tail = ''] = /(?:u|ur|url|url\()$/.exec(this.tail + character.toLowerCase()) ?? [];
    this.tail = tail;
    if (this.tail === 'url(') {
      this.address = new AddressState();
      this.tail = '';
    }
  }
}
