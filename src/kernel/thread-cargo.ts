/**
 * Values on their way to a thread and back: what is cloned loses its class, so exact numbers travel as what no JSON
 * holds, a Map, and are themselves again where they arrive.
 */
import { ExactNumber } from './exact-number.js';

const EXACT = 'exact';

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
