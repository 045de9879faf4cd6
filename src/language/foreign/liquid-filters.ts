/** Converts Liquid's filters to NLT's modifiers, including those of Customer.io and Braze. */
import { isTextField } from '../jinja/jinja-values.js';
import { datePatternOf } from '../jinja/strftime.js';
import {
  arithmetic,
  asIs,
  currency,
  date,
  digitsArgument,
  division,
  ENCODING_NOTE,
  fallback,
  first,
  type FilterRules,
  type ForeignFilterRule,
  join,
  last,
  letterCase,
  number,
  forListsOnly,
  onlyArgument,
  remove,
  replace,
  size,
  textArgument,
} from './foreign-filters.js';
import type { ForeignValue } from './foreign-expressions.js';
import { requireBare, addModifiers, withNote, type ShownValue } from './shown-value.js';
import { unsupported } from './unsupported.js';

const TRIM_NOTE = 'White space is removed from both ends.';

/** Adds a text before or after the value, even if the value is missing. */
function addText(side: 'before' | 'after'): ForeignFilterRule {
  return (shown, filter) => {
    const text = textOf(onlyArgument(filter));
    return side === 'before'
      ? { ...shown, before: text + shown.before }
      : { ...shown, after: shown.after + text };
  };
}

function textOf(value: ForeignValue): string {
  if (value.kind === 'number') return value.digits;
  return value.kind === 'text' ? value.text : unsupported('Waypost can only add fixed text to a value.');
}

function rounding(mode: 'nearest' | 'up' | 'down'): ForeignFilterRule {
  return (shown, { args }) => {
    const digits = args[0] === undefined ? 0 : Math.max(0, digitsArgument(args[0]));
    return addModifiers(shown, { kind: 'rounded', mode, digits });
  };
}

const trimmed: ForeignFilterRule = (shown) => addModifiers(shown, { kind: 'trimmed' });
const trimmedAtOneEnd: ForeignFilterRule = (shown, filter, setting) =>
  asIs(TRIM_NOTE)(trimmed(shown, filter, setting), filter, setting);

/** Liquid's `default` replaces false, but not 0. */
const fallbackOfFalse: ForeignFilterRule = (shown, filter, setting) => {
  const changed = fallback(shown, filter, setting);
  const mayBeFalse = shown.modifiers.length === 0 && !isTextField(shown.value);
  return changed !== shown && mayBeFalse ? withNote(changed, FALSE_NOTE) : changed;
};

const FALSE_NOTE = 'If the value is false, Liquid shows the fallback; Waypost shows “false”.';

/** Braze's filter that reads a field of an object. */
const property: ForeignFilterRule = (shown, filter): ShownValue => {
  const { value, modifiers } = requireBare(shown);
  if (value.kind !== 'reference' || modifiers.length > 0)
    return unsupported('Waypost cannot read a field of this.');
  return { ...shown, value: { ...value, path: [...value.path, textArgument(onlyArgument(filter))] } };
};

export const LIQUID_FILTERS: FilterRules = new Map<string, ForeignFilterRule>([
  ['default', fallbackOfFalse],
  ['upcase', letterCase('uppercase')],
  ['downcase', letterCase('lowercase')],
  ['capitalize', letterCase('capitalized')],
  ['titlecase', letterCase('titlecase')],
  ['strip', trimmed],
  ['lstrip', trimmedAtOneEnd],
  ['rstrip', trimmedAtOneEnd],
  ['replace', replace],
  ['remove', remove],
  ['append', addText('after')],
  ['prepend', addText('before')],
  ['plus', arithmetic('plus')],
  ['minus', arithmetic('minus')],
  ['times', arithmetic('times')],
  ['modulo', arithmetic('modulo')],
  ['divided_by', division(true)],
  ['round', rounding('nearest')],
  ['ceil', rounding('up')],
  ['floor', rounding('down')],
  ['size', size],
  ['first', forListsOnly(first)],
  ['last', forListsOnly(last)],
  ['join', join(' ')],
  ['date', date(datePatternOf)],
  ['escape', asIs()],
  ['escape_once', asIs()],
  ['h', asIs()],
  ['url_encode', asIs(ENCODING_NOTE)],
  ['url_param_escape', asIs(ENCODING_NOTE)],
  ['url_escape', asIs(ENCODING_NOTE)],
  ['cgi_escape', asIs(ENCODING_NOTE)],
  ['currency', currency],
  ['format_number', number],
  ['number_with_delimiter', number],
  ['property_accessor', property],
]);
