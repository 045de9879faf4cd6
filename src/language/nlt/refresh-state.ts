/**
 * Tracks the text of `<meta content>`, which may redirect a page (`5; url=https://…`), and the value lists of an
 * animation. Wherever an address may start in the text, one is tracked.
 *
 * Edge case: a tab or a line break may separate two addresses, but is ignored inside one (`java<tab>script:`). So two
 * are tracked: one starts after it, the other continues.
 */
import { AddressState, type Lookahead } from './address-state.js';

/** One possible state of such a text at a point between two pieces. */
export class RefreshState {
  /** The address that starts after the last possible separator. */
  private address = new AddressState();
  /** The address in which tabs and line breaks are ignored. */
  private unbrokenAddress = new AddressState();

  copy(): RefreshState {
    return Object.assign(new RefreshState(), {
      address: this.address.copy(),
      unbrokenAddress: this.unbrokenAddress.copy(),
    });
  }

  /** Equal for states that behave the same from here on. */
  get key(): string {
    return `${this.address.key} ${this.unbrokenAddress.key}`;
  }

  /** Whether the template's own scheme executes the text of a value here. */
  get isExecuted(): boolean {
    return this.address.isExecuted || this.unbrokenAddress.isExecuted;
  }

  /** Merges `other`, which has the same key, into this state. */
  merge(other: RefreshState): void {
    this.address.merge(other.address);
    this.unbrokenAddress.merge(other.unbrokenAddress);
  }

  /** Records a value of unknown text at this position. */
  passValue(lookahead: Lookahead): void {
    this.address.passValue(lookahead);
    this.unbrokenAddress.passValue(lookahead);
  }

  /** Marks the values so far as a part of the scheme. */
  markAsScheme(): void {
    this.address.markAsScheme();
    this.unbrokenAddress.markAsScheme();
  }

  /** Processes one character, already decoded from HTML. */
  pass(character: string): void {
    if (/[=;,'"\s]/.test(character)) this.address = new AddressState();
    else this.address.pass(character);
    if (/[=;,'" \f]/.test(character)) this.unbrokenAddress = new AddressState();
    else this.unbrokenAddress.pass(character);
  }
}
