/** Tracks static CSS up to each value in it: inside `url(` a value is an address, elsewhere a word or a text. */
import { AddressState, type Lookahead } from './address-state.js';

/** One possible state of a style attribute or element at a point between two pieces. */
export class StyleState {
  /** The current address; null outside of one. */
  address: AddressState | null = null;
  /** Text that may become a `url(`. */
  private tail = '';

  copy(): StyleState {
    return Object.assign(new StyleState(), this, { address: this.address?.copy() ?? null });
  }

  /** Equal for states that behave the same from here on. */
  get key(): string {
    return this.address === null ? this.tail : `url ${this.address.key}`;
  }

  /** Merges `other`, which has the same key, into this state. */
  merge(other: StyleState): void {
    if (this.address !== null && other.address !== null) this.address.merge(other.address);
  }

  /** Records a value of unknown text at this position. */
  passValue(lookahead: Lookahead): void {
    this.address?.passValue(lookahead);
  }

  /** Processes one character, already decoded from HTML. */
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
