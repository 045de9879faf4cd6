/**
 * Follows what `<meta content>` says, which may be where a page goes next: `5; url=https://…`, and the lists of an
 * animation. Wherever an address may begin in it, one is followed.
 *
 * Dark corner: a tab or a line break may stand between two addresses, and is left out where it stands within one
 * (`java<tab>script:`). So two are followed: one begins behind it, the other goes on.
 */
import { AddressState, type Joint } from './address-state.js';

/** One state of such a text between two pieces. */
export class RefreshState {
  /** The address that begins behind the last character that may stand between two. */
  private address = new AddressState();
  /** The one in which tabs and line breaks are left out. */
  private spread = new AddressState();

  copy(): RefreshState {
    return Object.assign(new RefreshState(), { address: this.address.copy(), spread: this.spread.copy() });
  }

  /** Equal for states that go on alike. */
  get key(): string {
    return `${this.address.key} ${this.spread.key}`;
  }

  /** Whether the template's own scheme runs what a value here says. */
  get runs(): boolean {
    return this.address.runs || this.spread.runs;
  }

  /** Makes this state hold for `other`, which has the same key, as well. */
  adopt(other: RefreshState): void {
    this.address.adopt(other.address);
    this.spread.adopt(other.spread);
  }

  /** Notes that a value of unknown text stands here. */
  passValue(joint: Joint): void {
    this.address.passValue(joint);
    this.spread.passValue(joint);
  }

  /** Takes it that the values so far are a part of the scheme. */
  join(): void {
    this.address.join();
    this.spread.join();
  }

  /** Goes through one character, as HTML has decoded it. */
  pass(character: string): void {
    if (/[=;,'"\s]/.test(character)) this.address = new AddressState();
    else this.address.pass(character);
    if (/[=;,'" \f]/.test(character)) this.spread = new AddressState();
    else this.spread.pass(character);
  }
}
