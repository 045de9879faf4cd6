/**
 * Record identifiers are UUIDv7 (RFC 9562): they sort by the time they were made, so that a primary key
 * index grows at its end. Made from random bytes and a time in milliseconds.
 */
import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(10 * 512);
let offset = pool.length;
let last = 0;

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * A new UUIDv7.
 * @param milliseconds Unix time in milliseconds; never goes backwards within a process.
 */
export function uuidv7(milliseconds: number): string {
  if (offset === pool.length) {
    randomFillSync(pool);
    offset = 0;
  }
  const time = (last = Math.max(last, Math.floor(milliseconds)));
  const byte = (i: number): number => pool[offset + i] ?? 0;
  const hex = (value: number): string => HEX[value] ?? '';
  const high = time.toString(16).padStart(12, '0');
  const id =
    `${high.slice(0, 8)}-${high.slice(8)}-` +
    `${hex(0x70 | (byte(0) & 0x0f))}${hex(byte(1))}-${hex(0x80 | (byte(2) & 0x3f))}${hex(byte(3))}-` +
    `${hex(byte(4))}${hex(byte(5))}${hex(byte(6))}${hex(byte(7))}${hex(byte(8))}${hex(byte(9))}`;
  offset += 10;
  return id;
}
