/**
 * Record identifiers are UUIDv7 (RFC 9562): they sort by the time they were made, so that a primary key index grows
 * at its end. Within a process they sort in the very order in which they were made: twelve bits count what comes
 * within one millisecond.
 */
import { randomFillSync } from 'node:crypto';

const RANDOM_BYTES = 8;
const MOST_PER_MILLISECOND = 0xfff;

const pool = Buffer.alloc(RANDOM_BYTES * 512);
let offset = pool.length;
let last = 0;
let counter = 0;

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * A new UUIDv7, greater than every one that this process made before.
 * @param milliseconds Unix time in milliseconds; when it goes backwards the ids stay at the latest time.
 */
export function uuidv7(milliseconds: number): string {
  if (offset === pool.length) {
    randomFillSync(pool);
    offset = 0;
  }
  const time = Math.floor(milliseconds);
  if (time > last) {
    last = time;
    counter = 0;
  } else if (++counter > MOST_PER_MILLISECOND) {
    last++;
    counter = 0;
  }
  const hex = (index: number, keep = 0xff, set = 0): string =>
    HEX[((pool[offset + index] ?? 0) & keep) | set] ?? '';
  const high = last.toString(16).padStart(12, '0');
  const id =
    `${high.slice(0, 8)}-${high.slice(8)}-7${counter.toString(16).padStart(3, '0')}-` +
    `${hex(0, 0x3f, 0x80)}${hex(1)}-${hex(2)}${hex(3)}${hex(4)}${hex(5)}${hex(6)}${hex(7)}`;
  offset += RANDOM_BYTES;
  return id;
}

/** The smallest UUIDv7 of a moment: ids made before it sort before it. */
export function earliestId(moment: Date): string {
  const high = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${high.slice(0, 8)}-${high.slice(8)}-7000-8000-000000000000`;
}
