/** Checks of single values, with our own error messages. class-validator does the basic checks. */
import {
  arrayMaxSize,
  arrayMinSize,
  isArray,
  isBoolean,
  isIn,
  isInt,
  isString,
  max,
  min,
} from 'class-validator';
import { isStorableText } from '../../kernel/json.js';
import { isLonger, lengthOf } from '../../kernel/text-length.js';
import type { Check } from './input-table.js';

const NOT_STORABLE = 'must not contain NUL characters or unpaired surrogates';

/** A text that PostgreSQL can store, of `least` to `most` characters. */
export function textCheck(least = 0, most = Number.POSITIVE_INFINITY): Check {
  return (value) => {
    if (!isString(value)) return 'must be a string';
    if (value === '' && least > 0) return 'must not be empty';
    const length = Number.isFinite(most) ? lengthOf(value) : value.length;
    if (length < least || length > most) return lengthMessage(least, most);
    return isStorableText(value) ? undefined : NOT_STORABLE;
  };
}

/** The error for a name without visible characters. */
export function blankProblem(text: string): string | undefined {
  return text.trim() === '' ? 'must not be empty' : undefined;
}

/** A text to search for, which PostgreSQL need not be able to store. */
export function searchTextCheck(most = Number.POSITIVE_INFINITY): Check {
  return (value) => {
    if (!isString(value)) return 'must be a string';
    return isLonger(value, most) ? lengthMessage(0, most) : undefined;
  };
}

function lengthMessage(least: number, most: number): string {
  return least > 0
    ? `must be ${least} to ${most} characters long`
    : `must be at most ${most} characters long`;
}

export function choiceCheck(choices: readonly string[]): Check {
  return (value) => (isIn(value, choices) ? undefined : `must be one of ${choices.join(', ')}`);
}

export function textsCheck(least = 0, most = Number.POSITIVE_INFINITY): Check {
  return (value) => {
    if (!isArray(value) || !value.every(isString)) return 'must be a list of strings';
    return arrayMinSize(value, least) && arrayMaxSize(value, most)
      ? undefined
      : `must contain ${least} to ${most} strings`;
  };
}

export const flagCheck: Check = (value) => (isBoolean(value) ? undefined : 'must be true or false');

export function integerCheck(least: number, most: number): Check {
  return (value) => {
    if (!isInt(value)) return 'must be an integer';
    if (min(value, least) && max(value, most)) return undefined;
    if (most === Number.MAX_SAFE_INTEGER) return `must be at least ${least}`;
    return `must be between ${least} and ${most}`;
  };
}
