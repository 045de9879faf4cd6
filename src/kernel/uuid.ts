/**
 * Record identifiers are UUIDv7 (RFC 9562): they sort by the time they were made, so that a primary key index grows
 * at its end. Within a process they sort in the very order in which they were made, unless its clock is set back by more
 * than a minute: twelve bits count what comes within one millisecond.
 */
import { randomFillSync, randomUUID } from 'node:crypto';

const RANDOM_BYTES = 8;
const RANDOM_DIGITS = 2 * RANDOM_BYTES;
const MOST_PER_MILLISECOND = 0xfff;
/** Steps of a clock that ids hide, in milliseconds. After a longer step back, they would claim a time that has not come. */
const HIDDEN_STEP_MS = 60_000;

const pool = Buffer.alloc(RANDOM_BYTES * 512);
/** Hexadecimal digits of random bytes, used from the offset on. */
let random = '';
let offset = 0;
let last = 0;
let counter = 0;
/** What the ids of the latest millisecond begin with. */
let prefix = prefixOf(last);

/** The digit that says the variant, by a random one: its upper two bits are 10. */
const VARIANT: Readonly<Record<string, string>> = Object.fromEntries(
  [...'0123456789abcdef'].map((digit, value) => [digit, '89ab'[value % 4] ?? '']),
);

/**
 * A new UUIDv7, greater than every one that this process made before at the same clock.
 * @param milliseconds Unix time in milliseconds; when it goes back by a minute at most, the ids stay at the latest time.
 *   When it goes back further, they begin anew at that time.
 */
export function uuidv7(milliseconds: number): string {
  if (offset === random.length) {
    random = randomFillSync(pool).toString('hex');
    offset = 0;
  }
  const time = Math.max(0, Math.floor(milliseconds));
  if (time > last || time < last - HIDDEN_STEP_MS) begin(time);
  else if (++counter > MOST_PER_MILLISECOND) begin(last + 1);
  const at = offset;
  offset += RANDOM_DIGITS;
  return (
    `${prefix}-7${counter.toString(16).padStart(3, '0')}-${VARIANT[random.charAt(at)]}` +
    `${random.slice(at + 1, at + 4)}-${random.slice(at + 4, at + RANDOM_DIGITS)}`
  );
}

function begin(time: number): void {
  last = time;
  counter = 0;
  prefix = prefixOf(time);
}

/** The first 48 bits: the time. */
function prefixOf(milliseconds: number): string {
  const digits = milliseconds.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** A UUIDv7 of any moment, such as one that a file tells. It leaves the order of what `uuidv7` makes alone. */
export function uuidOf(moment: Date): string {
  return `${prefixOf(Math.max(0, moment.getTime()))}-7${randomUUID().slice(15)}`;
}

/** The smallest UUIDv7 of a moment: ids made before it sort before it. */
export function earliestId(moment: Date): string {
  return `${prefixOf(Math.max(0, moment.getTime()))}-7000-8000-000000000000`;
}
