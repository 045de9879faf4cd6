/**
 * Values on their way to a thread and back: what is cloned loses its class, so exact numbers travel as what no JSON
 * holds, a Map, and are themselves again where they arrive.
 */
import { ExactNumber } from './exact-number.js';

const EXACT = 'exact';
/** Of a number, a moment, a truth. */
const OTHER_BYTES = 8;

/** A value that can be cloned; the value itself where it holds no exact number. */
export function packed(value: unknown): unknown {
  return replaced(value, (inner) =>
    inner instanceof ExactNumber ? new Map([[EXACT, inner.text]]) : undefined,
  );
}

/** What was packed. */
export function unpacked(value: unknown): unknown {
  return replaced(value, (inner) =>
    tagOf(inner) === '[object Map]'
      ? ExactNumber.from((inner as Map<string, string>).get(EXACT) ?? '')
      : undefined,
  );
}

/** About what a plain value weighs on its way: the bytes of all texts in it, and a few for each other value. */
export function bytesIn(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof ExactNumber) return value.text.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + bytesIn(item), 0);
  if (tagOf(value) !== '[object Object]') return OTHER_BYTES;
  let sum = 0;
  for (const [key, inner] of Object.entries(value as object)) sum += Buffer.byteLength(key) + bytesIn(inner);
  return sum;
}

/** The value with all that `replace` gives something for replaced; what holds nothing of it stays as it is. */
function replaced(value: unknown, replace: (inner: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const replacement = replace(value);
  if (replacement !== undefined) return replacement;
  if (Array.isArray(value)) {
    const items = value.map((item) => replaced(item, replace));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  // A Date, shared memory.
  if (tagOf(value) !== '[object Object]') return value;
  const before = Object.entries(value);
  const after = before.map(([key, inner]) => [key, replaced(inner, replace)] as const);
  return after.some(([, inner], index) => inner !== before[index]?.[1]) ? Object.fromEntries(after) : value;
}

/** Also of what comes from another realm. */
function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}
