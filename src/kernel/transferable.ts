/**
 * Prepares values for transfer to a thread and back. Structured cloning drops classes, so an exact number travels as a
 * Map, which JSON values never contain, and is restored on arrival.
 */
import { ExactNumber } from './exact-number.js';

const EXACT = 'exact';
/** Approximate bytes of a number, date or boolean. */
const OTHER_BYTES = 8;

/** Converts a value to a form that can be cloned; returns the same value if it contains no exact number. */
export function toTransferable(value: unknown): unknown {
  return replaced(value, (inner) =>
    inner instanceof ExactNumber ? new Map([[EXACT, inner.text]]) : undefined,
  );
}

/** Restores a packed value. */
export function fromTransferable(value: unknown): unknown {
  return replaced(value, (inner) =>
    tagOf(inner) === '[object Map]'
      ? ExactNumber.from((inner as Map<string, string>).get(EXACT) ?? '')
      : undefined,
  );
}

/** Approximate size of a plain value in transfer: the bytes of its texts, and a few for each other value. */
export function transferSizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof ExactNumber) return value.text.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + transferSizeOf(item), 0);
  if (tagOf(value) !== '[object Object]') return OTHER_BYTES;
  let sum = 0;
  for (const [key, inner] of Object.entries(value as object))
    sum += Buffer.byteLength(key) + transferSizeOf(inner);
  return sum;
}

/** Replaces every inner value for which `replace` returns something. A part without replacements is not copied. */
function replaced(value: unknown, replace: (inner: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const replacement = replace(value);
  if (replacement !== undefined) return replacement;
  if (Array.isArray(value)) {
    const items = value.map((item) => replaced(item, replace));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  // A Date or shared memory.
  if (tagOf(value) !== '[object Object]') return value;
  const before = Object.entries(value);
  const after = before.map(([key, inner]) => [key, replaced(inner, replace)] as const);
  return after.some(([, inner], index) => inner !== before[index]?.[1]) ? Object.fromEntries(after) : value;
}

/** Also works for objects of another realm. */
function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}
