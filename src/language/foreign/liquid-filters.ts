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
  ENCODED,
  fallback,
  first,
  type FilterRules,
  type ForeignFilterRule,
  join,
  last,
  letterCase,
  number,
  ofListsAlone,
  onlyArgument,
  remove,
  replace,
  size,
  textArgument,
} from './foreign-filters.js';
import type { ForeignValue } from './foreign-expressions.js';
import { bare, modified, noted, type Shown } from './shown-value.js';
import { unfit } from './unfit.js';

const TRIMMED = 'White space is removed from both ends.';

/** Adds a text before or after the value, even if the value is missing. */
function around(place: 'before' | 'after'): ForeignFilterRule {
  return (shown, filter) => {
    const text = textOf(onlyArgument(filter));
    return place === 'before'
      ? { ...shown, before: text + shown.before }
      : { ...shown, after: shown.after + text };
  };
}

function textOf(value: ForeignValue): string {
  if (value.kind === 'number') return value.digits;
  return value.kind === 'text' ? value.text : unfit('Waypost can only add fixed text to a value.');
}

function rounding(mode: 'nearest' | 'up' | 'down'): ForeignFilterRule {
  return (shown, { args }) => {
    const digits = args[0] === undefined ? 0 : Math.max(0, digitsArgument(args[0]));
    return modified(shown, { kind: 'rounded', mode, digits });
  };
}

const trimmed: ForeignFilterRule = (shown) => modified(shown, { kind: 'trimmed' });
const trimmedAtOneEnd: ForeignFilterRule = (shown, filter, setting) =>
  asIs(TRIMMED)(trimmed(shown, filter, setting), filter, setting);

/** Liquid's `default` replaces false, but not 0. */
const fallbackOfFalse: ForeignFilterRule = (shown, filter, setting) => {
  const changed = fallback(shown, filter, setting);
  const mayBeFalse = shown.modifiers.length === 0 && !isTextField(shown.value);
  return changed !== shown && mayBeFalse ? noted(changed, FALSE_STAYS) : changed;
};

const FALSE_STAYS = 'If the value is false, Liquid shows the fallback; Waypost shows “false”.';

/** Braze's filter that reads a field of an object. */
const property: ForeignFilterRule = (shown, filter): Shown => {
  const { value, modifiers } = bare(shown);
  if (value.kind !== 'reference' || modifiers.length > 0)
    return unfit('Waypost cannot read a field of this.');
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
  ['append', around('after')],
  ['prepend', around('before')],
  ['plus', arithmetic('plus')],
  ['minus', arithmetic('minus')],
  ['times', arithmetic('times')],
  ['modulo', arithmetic('modulo')],
  ['divided_by', division(true)],
  ['round', rounding('nearest')],
  ['ceil', rounding('up')],
  ['floor', rounding('down')],
  ['size', size],
  ['first', ofListsAlone(first)],
  ['last', ofListsAlone(last)],
  ['join', join(' ')],
  ['date', date(datePatternOf)],
  ['escape', asIs()],
  ['escape_once', asIs()],
  ['h', asIs()],
  ['url_encode', asIs(ENCODED)],
  ['url_param_escape', asIs(ENCODED)],
  ['url_escape', asIs(ENCODED)],
  ['cgi_escape', asIs(ENCODED)],
  ['currency', currency],
  ['format_number', number],
  ['number_with_delimiter', number],
  ['property_accessor', property],
]);
