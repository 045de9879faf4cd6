/** The filters that Liquid and Klaviyo have in common, and the lookup of a filter. */
import type { LetterCase, Operand } from '../nlt/tree.js';
import type { ForeignFilter, ForeignValue } from './foreign-expressions.js';
import { requireBare, withArithmetic, addModifiers, withNote, type ShownValue } from './shown-value.js';
import { unsupported } from './unsupported.js';

export const ENCODING_NOTE = 'Waypost encodes values in addresses automatically, and only there.';

export interface FilterSetting {
  /** Converts an argument to an operand. @throws Unfit */
  operand(value: ForeignValue): Operand;
}

export type ForeignFilterRule = (
  shown: ShownValue,
  filter: ForeignFilter,
  setting: FilterSetting,
) => ShownValue;
export type FilterRules = ReadonlyMap<string, ForeignFilterRule>;

/** Applies `filter` to the value. @throws Unfit if NLT has no such filter */
export function applyFilter(
  shown: ShownValue,
  filter: ForeignFilter,
  rules: FilterRules,
  setting: FilterSetting,
): ShownValue {
  const rule = rules.get(filter.name);
  if (rule === undefined) return unsupported(`Waypost has no filter “${filter.name.slice(0, 40)}”.`);
  return rule(shown, filter, setting);
}

/** The only argument of a filter. @throws Unfit */
export function onlyArgument({ name, args }: ForeignFilter): ForeignValue {
  const [first] = args;
  return first === undefined || args.length > 1
    ? unsupported(`The filter “${name}” has one argument.`)
    : first;
}

/** The argument as a text. @throws Unfit */
export function textArgument(value: ForeignValue | undefined): string {
  return value?.kind === 'text' ? value.text : unsupported('Waypost only accepts a fixed text here.');
}

/** The argument as a whole number. @throws Unfit */
export function digitsArgument(value: ForeignValue): number {
  const digits =
    value.kind === 'number' || value.kind === 'text'
      ? value.kind === 'text'
        ? value.text
        : value.digits
      : '';
  return /^-?(?:1?\d|20)$/.test(digits) ? Number(digits) : unsupported('Waypost rounds to 0 to 20 digits.');
}

export function letterCase(name: LetterCase): ForeignFilterRule {
  return (shown) => addModifiers(shown, { kind: 'case', letterCase: name });
}

/** A filter that has no effect in Waypost. */
export function asIs(note?: string): ForeignFilterRule {
  return (shown) => (note === undefined ? shown : withNote(shown, note));
}

/** `default`: the replacement for a value that is missing or empty. */
export const fallback: ForeignFilterRule = (shown, filter, setting) => {
  const value = onlyArgument(filter);
  if (value.kind === 'nil' || (value.kind === 'text' && value.text === '')) return shown;
  if (shown.value.kind === 'text' && shown.modifiers.length === 0) {
    if (shown.value.text === '') unsupported('This always shows the same text: write that text.');
    return shown;
  }
  if (value.kind === 'text' && value.text.includes('<'))
    unsupported('Waypost shows a fallback as written, including tags: use a condition.');
  const operand = setting.operand(value);
  return addModifiers(shown, { kind: 'or', fallback: operand });
};

/** Like `fallback`, but also replaces false and 0. */
export const fallbackOfFalsy: ForeignFilterRule = (shown, filter, setting) => {
  const changed = fallback(shown, filter, setting);
  const added = changed.modifiers.at(-1);
  if (changed === shown || added?.kind !== 'or') return changed;
  return { ...changed, modifiers: [...changed.modifiers.slice(0, -1), { ...added, isFalsy: true }] };
};

export const size: ForeignFilterRule = (shown) =>
  addModifiers(shown, { kind: 'count' }, { kind: 'or', fallback: { kind: 'number', digits: '0' } });

export const first: ForeignFilterRule = (shown) => addModifiers(shown, { kind: 'first' });
export const last: ForeignFilterRule = (shown) => addModifiers(shown, { kind: 'last' });

/** Adds a note to a rule that is meant for lists: Waypost shows a character of a text, the other language nothing. */
export function forListsOnly(rule: ForeignFilterRule): ForeignFilterRule {
  return (shown, filter, setting) => withNote(rule(shown, filter, setting), CHARACTER_NOTE);
}

export const CHARACTER_NOTE = 'Waypost shows a character of the text; Liquid shows nothing.';

export function join(separator: string): ForeignFilterRule {
  return (shown, { args }) =>
    addModifiers(shown, { kind: 'joined', separator: args.length === 0 ? separator : textArgument(args[0]) });
}

export const replace: ForeignFilterRule = (shown, { args }) =>
  addModifiers(shown, { kind: 'replacing', search: search(args[0]), replacement: textArgument(args[1]) });

export const remove: ForeignFilterRule = (shown, { args }) =>
  addModifiers(shown, { kind: 'replacing', search: search(args[0]), replacement: '' });

function search(value: ForeignValue | undefined): string {
  const text = textArgument(value);
  return text === '' ? unsupported('Waypost cannot replace an empty text.') : text;
}

const MISSING_VALUE_NOTE = 'A missing value counted as 0; Waypost shows nothing.';

export function arithmetic(operator: 'plus' | 'minus' | 'times' | 'modulo'): ForeignFilterRule {
  return (shown, filter, setting) => {
    const operand = setting.operand(onlyArgument(filter));
    return withNote(withArithmetic(shown, operator, operand), MISSING_VALUE_NOTE);
  };
}

/** A division; with `roundsDown`, rounded down if the divisor is a whole number. */
export function division(roundsDown: boolean): ForeignFilterRule {
  return (shown, filter, setting) => {
    const operand = setting.operand(onlyArgument(filter));
    const divided = withNote(withArithmetic(shown, 'divided by', operand), MISSING_VALUE_NOTE);
    if (!roundsDown || (operand.kind === 'number' && operand.digits.includes('.'))) return divided;
    const note = 'A number divided by an integer is rounded down, even if it has decimals.';
    return withNote(addModifiers(divided, { kind: 'rounded', mode: 'down', digits: 0 }), note);
  };
}

/** A date in the pattern that `patternOf` converts the argument to. */
export function date(patternOf: (format: string) => string | null): ForeignFilterRule {
  return (shown, { args }) => {
    const pattern = patternOf(textArgument(args[0]));
    if (pattern === null) return unsupported('Waypost has no such date format.');
    const dated = requireBare(shown);
    const isNow = dated.value.kind === 'text' && /^(?:now|today)$/.test(dated.value.text);
    const moment = isNow ? ({ ...dated, value: { kind: 'moment', name: 'now' } } as const) : dated;
    return addModifiers(moment, { kind: 'as', format: pattern });
  };
}

/** `currency`, with or without a currency code. */
export const currency: ForeignFilterRule = (shown, { args }) => {
  const code = args.length === 0 ? '' : textArgument(args[0]).toUpperCase();
  if (code !== '' && !/^[A-Z]{3}$/.test(code))
    unsupported('Waypost only accepts three-letter currency codes.');
  const format = code === '' ? 'currency' : `currency ${code}`;
  return withNote(
    addModifiers(shown, { kind: 'as', format }),
    'Waypost formats amounts according to the contact’s language.',
  );
};

export const number: ForeignFilterRule = (shown) =>
  withNote(
    addModifiers(shown, { kind: 'as', format: 'number' }),
    'Waypost formats numbers according to the contact’s language.',
  );
