/**
 * A set of addresses that takes 16 to 32 bytes for each, so that millions can be counted. It keeps 64 bits of a hash of
 * each address; among ten million, the probability of a collision is 3 in 1,000,000.
 */
import { createHash } from 'node:crypto';

const INITIAL_SLOTS = 1_024;
/** Marks a free slot; no stored hash has this value. */
const FREE = 0n;

export class AddressSet {
  private slots = new BigUint64Array(INITIAL_SLOTS);
  private size = 0;

  /** Adds an address; returns whether it is new. */
  add(address: string): boolean {
    const hash = createHash('sha256').update(address).digest().readBigUInt64LE() || 1n;
    if (!insertHash(this.slots, hash)) return false;
    this.size++;
    if (this.size * 2 > this.slots.length) this.grow();
    return true;
  }

  private grow(): void {
    const larger = new BigUint64Array(this.slots.length * 2);
    for (const hash of this.slots) if (hash !== FREE) insertHash(larger, hash);
    this.slots = larger;
  }
}

/** Puts a hash into its slot or the next free one; returns false if it is already there. */
function insertHash(slots: BigUint64Array, hash: bigint): boolean {
  const last = slots.length - 1;
  for (let slot = Number(hash & BigInt(last)); ; slot = (slot + 1) & last) {
    if (slots[slot] === hash) return false;
    if (slots[slot] === FREE) {
      slots[slot] = hash;
      return true;
    }
  }
}
