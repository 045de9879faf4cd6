/**
 * Implements the modifiers.
 *
 * Edge cases:
 * - A missing value passes through every modifier except `or`, so `uppercase, or "there"` leaves the fallback
 *   unchanged.
 * - A modifier that does not fit a value (`rounded` on a word, `first` on a number) leaves it unchanged.
 * - `first` and `last` of a text are its first and last character (code point); an empty text has none.
 * - `titlecase` and `capitalized` lower the other letters; `titlecase` starts a word after a space, hyphen or bracket.
 * - `count` counts the entries of a list, the fields of a group, the characters (code points) of a text.
 */
import { round } from './decimal.js';
import { compileFormat } from './locale-format.js';
import { WORK_COST } from './limits.js';
import { longNumericOf, normalizeNumeric, toDecimal } from './numeric.js';
import { checkLength, type RenderState } from './render-context.js';
import { offsetsOf } from './text-search.js';
import type { LetterCase, Modifier } from './tree.js';
import { countFields, isGroup, joinTexts, textOf } from './value-text.js';

type ValueTransform = (value: unknown, state: RenderState) => unknown;

/** The function of a modifier for a value that is not missing; null for modifiers that the compiler handles. */
export function compileModifier(modifier: Modifier): ValueTransform | null {
  switch (modifier.kind) {
    case 'or':
    case 'required':
      return null;
    case 'as':
      return modifier.format === 'html' ? null : compileFormat(modifier.format);
    case 'case':
      return changeCase(modifier.letterCase);
    case 'trimmed':
      return onText((text) => text.trim());
    case 'replacing':
      return replacing(modifier.search, modifier.replacement);
    case 'rounded':
      return rounded(modifier.digits, modifier.mode);
    case 'count':
      return count;
    case 'first':
      return (value) => (isSequence(value) ? firstOf(value) : value);
    case 'last':
      return (value) => (isSequence(value) ? lastOf(value) : value);
    case 'joined':
      return (value, state) => (Array.isArray(value) ? joinTexts(value, modifier.separator, state) : value);
  }
}

type Sequence = string | readonly unknown[];

function isSequence(value: unknown): value is Sequence {
  return typeof value === 'string' || Array.isArray(value);
}

function firstOf(sequence: Sequence): unknown {
  const [first] = sequence;
  return first;
}

function lastOf(sequence: Sequence): unknown {
  return typeof sequence === 'string' ? [...sequence.slice(-2)].at(-1) : sequence.at(-1);
}

/** @param cost work per character. */
function onText(
  transform: (text: string, locale: string) => string,
  cost: number = WORK_COST.search,
): ValueTransform {
  return (value, state) => {
    if (isGroup(value)) return value;
    const text = textOf(value, state);
    state.spend(text.length * cost);
    return transform(text, state.setting.locale);
  };
}

function changeCase(letterCase: LetterCase): ValueTransform {
  switch (letterCase) {
    case 'uppercase':
      return onText(upper);
    case 'lowercase':
      return onText(lower);
    case 'capitalized':
      return onText((text, locale) => {
        const [first = ''] = text;
        return upper(first, locale) + lower(text.slice(first.length), locale);
      });
    case 'titlecase':
      return onText(
        (text, locale) =>
          lower(text, locale).replace(
            /(^|[-\s([{<])([^-\s([{<])/gu,
            (_match, before: string, letter: string) => {
              return before + upper(letter, locale);
            },
          ),
        WORK_COST.word,
      );
  }
}

/** Turkish, Azeri and Lithuanian have special case rules; for all others the plain method is faster. */
function hasOwnLetterCase(locale: string): boolean {
  return /^(?:tr|az|lt)\b/.test(locale);
}

function upper(text: string, locale: string): string {
  return hasOwnLetterCase(locale) ? text.toLocaleUpperCase(locale) : text.toUpperCase();
}

function lower(text: string, locale: string): string {
  return hasOwnLetterCase(locale) ? text.toLocaleLowerCase(locale) : text.toLowerCase();
}

function replacing(search: string, replacement: string): ValueTransform {
  return (value, state) => {
    if (isGroup(value)) return value;
    const text = textOf(value, state);
    state.spend(text.length * WORK_COST.search);
    const pieces: string[] = [];
    let copiedUntil = 0;
    for (const offset of offsetsOf(text, search)) {
      state.spend(WORK_COST.word + replacement.length);
      pieces.push(text.slice(copiedUntil, offset), replacement);
      copiedUntil = offset + search.length;
    }
    if (pieces.length === 0) return text;
    const result = pieces.join('') + text.slice(copiedUntil);
    checkLength(result);
    return result;
  };
}

function rounded(digits: number, mode: 'nearest' | 'down' | 'up'): ValueTransform {
  return (value, state) => {
    const numeric = longNumericOf(value, state);
    if (numeric === undefined || typeof numeric === 'number') return numeric ?? value;
    state.spend(WORK_COST.exact);
    return normalizeNumeric(round(toDecimal(numeric), digits, mode));
  };
}

const count: ValueTransform = (value, state) => {
  if (Array.isArray(value)) return value.length;
  if (isGroup(value)) return countFields(value, state);
  const text = textOf(value, state);
  state.spend(text.length);
  let characters = 0;
  for (const character of text) characters += character.length > 0 ? 1 : 0;
  return characters;
};
