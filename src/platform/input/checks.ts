/** Checks of single values, each with the words of its refusal. */
import { isStorableText } from '../../kernel/json.js';
import { lengthOf } from '../../kernel/text-length.js';
import type { Check } from './input-table.js';

const NOT_STORABLE = 'must not hold NUL or half characters';

/** A text that PostgreSQL can store, of `min` to `max` characters. */
export function textCheck(min = 0, max = Number.POSITIVE_INFINITY): Check {
  return (value) => {
    if (typeof value !== 'string') return 'must be a text';
    const length = Number.isFinite(max) ? lengthOf(value) : value.length;
    if (length < min || length > max) return textBounds(min, max);
    return isStorableText(value) ? undefined : NOT_STORABLE;
  };
}

function textBounds(min: number, max: number): string {
  if (!Number.isFinite(max)) return 'must not be empty';
  return min > 0 ? `must be ${min} to ${max} characters long` : `must be at most ${max} characters long`;
}

export function choiceCheck(choices: readonly string[]): Check {
  return (value) =>
    choices.some((choice) => choice === value) ? undefined : `must be one of ${choices.join(', ')}`;
}

export function textsCheck(min = 0, max = Number.POSITIVE_INFINITY): Check {
  return (value) => {
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
      return 'must be a list of texts';
    return value.length >= min && value.length <= max ? undefined : `must hold ${min} to ${max} texts`;
  };
}

export const flagCheck: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');

export function wholeCheck(min: number, max: number): Check {
  return (value) => {
    if (!Number.isInteger(value)) return 'must be an integer';
    if ((value as number) >= min && (value as number) <= max) return undefined;
    if (max === Number.MAX_SAFE_INTEGER) return `must be at least ${min}`;
    return `must be from ${min} to ${max}`;
  };
}
