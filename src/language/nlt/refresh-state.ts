/**
 * Follows what `<meta content>` says, which may be where a page goes next: `5; url=https://…`. Wherever an address may
 * begin in it, one is followed.
 */
import { AddressState, type Joint } from './address-state.js';

/** One state of such a text between two pieces. */
export class RefreshState {
  /** The address that the text may be in. */
  address = new AddressState();

  copy(): RefreshState {
    return Object.assign(new RefreshState(), { address: this.address.copy() });
  }

  /** Equal for states that go on alike. */
  get key(): string {
    return this.address.key;
  }

  /** Makes this state hold for `other`, which has the same key, as well. */
  adopt(other: RefreshState): void {
    this.address.adopt(other.address);
  }

  /** Notes that a value of unknown text stands here. */
  passValue(joint: Joint): void {
    this.address.passValue(joint);
  }

  /** Takes it that the values so far are a part of the scheme. */
  join(): void {
    this.address.join();
  }

  /** Goes through one character, as HTML has decoded it. */
  pass(character: string): void {
    if (/[=;,'"\s]/.test(character)) this.address = new AddressState();
    else this.address.pass(character);
  }
}
