/**
 * Record identifiers are UUIDv7 (RFC 9562). They sort by creation time, so a primary key index grows at its end. Within
 * a process they sort exactly in creation order, unless its clock goes back by more than a minute: twelve bits count
 * the ids of one millisecond.
 */
import { randomFillSync, randomUUID } from 'node:crypto';

const RANDOM_BYTES = 8;
const RANDOM_DIGITS = 2 * RANDOM_BYTES;
const MAX_PER_MILLISECOND = 0xfff;
/**
 * Backward clock steps up to this length do not affect the order of ids. After a longer step, ids would carry a time
 * that lies in the future.
 */
const MAX_IGNORED_STEP_MS = 60_000;

const pool = Buffer.alloc(RANDOM_BYTES * 512);
/** Hexadecimal random digits, consumed from the offset on. */
let random = '';
let offset = 0;
let last = 0;
let counter = 0;
/** The first digits of all ids of the latest millisecond. */
let prefix = prefixOf(last);

/** Maps a random digit to the variant digit, whose upper two bits are 10. */
const VARIANT: Readonly<Record<string, string>> = Object.fromEntries(
  [...'0123456789abcdef'].map((digit, value) => [digit, '89ab'[value % 4] ?? '']),
);

/**
 * Creates a UUIDv7 that is greater than all earlier ones of this process at the same clock.
 * @param milliseconds Unix time. If it goes back by at most a minute, ids keep the latest time. If it goes back
 *   further, they restart at the new time.
 */
export function uuidv7(milliseconds: number): string {
  if (offset === random.length) {
    random = randomFillSync(pool).toString('hex');
    offset = 0;
  }
  const time = Math.max(0, Math.floor(milliseconds));
  if (time > last || time < last - MAX_IGNORED_STEP_MS) restartAt(time);
  else if (++counter > MAX_PER_MILLISECOND) restartAt(last + 1);
  const at = offset;
  offset += RANDOM_DIGITS;
  return (
    `${prefix}-7${counter.toString(16).padStart(3, '0')}-${VARIANT[random.charAt(at)]}` +
    `${random.slice(at + 1, at + 4)}-${random.slice(at + 4, at + RANDOM_DIGITS)}`
  );
}

function restartAt(time: number): void {
  last = time;
  counter = 0;
  prefix = prefixOf(time);
}

/** The first 48 bits, which hold the time. */
function prefixOf(milliseconds: number): string {
  const digits = milliseconds.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** Creates a UUIDv7 for any moment, such as one read from a file. Does not affect the order of `uuidv7`. */
export function uuidOf(moment: Date): string {
  return `${prefixOf(Math.max(0, moment.getTime()))}-7${randomUUID().slice(15)}`;
}

/** The smallest UUIDv7 of a moment. All ids created before it sort before it. */
export function earliestId(moment: Date): string {
  return `${prefixOf(Math.max(0, moment.getTime()))}-7000-8000-000000000000`;
}
