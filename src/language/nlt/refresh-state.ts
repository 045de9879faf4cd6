/**
 * Tracks the text of `<meta content>`, which may redirect a page (`5; url=https://…`), and the value lists of an
 * animation. Wherever an address may start in the text, one is tracked.
 *
 * Edge case: a tab or a line break may separate two addresses, but is ignored inside one (`java<tab>script:`). So two
 * are tracked: one starts after it, the other continues.
 */
import { AddressState, type Joint } from './address-state.js';

/** One possible state of such a text at a point between two pieces. */
export class RefreshState {
  /** The address that starts after the last possible separator. */
  private address = new AddressState();
  /** The address in which tabs and line breaks are ignored. */
  private spread = new AddressState();

  copy(): RefreshState {
    return Object.assign(new RefreshState(), { address: this.address.copy(), spread: this.spread.copy() });
  }

  /** Equal for states that behave the same from here on. */
  get key(): string {
    return `${this.address.key} ${this.spread.key}`;
  }

  /** Whether the template's own scheme executes the text of a value here. */
  get runs(): boolean {
    return this.address.runs || this.spread.runs;
  }

  /** Merges `other`, which has the same key, into this state. */
  adopt(other: RefreshState): void {
    this.address.adopt(other.address);
    this.spread.adopt(other.spread);
  }

  /** Records a value of unknown text at this position. */
  passValue(joint: Joint): void {
    this.address.passValue(joint);
    this.spread.passValue(joint);
  }

  /** Marks the values so far as a part of the scheme. */
  join(): void {
    this.address.join();
    this.spread.join();
  }

  /** Processes one character, already decoded from HTML. */
  pass(character: string): void {
    if (/[=;,'"\s]/.test(character)) this.address = new AddressState();
    else this.address.pass(character);
    if (/[=;,'" \f]/.test(character)) this.spread = new AddressState();
    else this.spread.pass(character);
  }
}
