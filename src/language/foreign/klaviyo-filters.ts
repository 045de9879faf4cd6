/** Converts Klaviyo's filters (Django's and its additions) to NLT's modifiers. */
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
  fallbackOfFalsy,
  first,
  type FilterRules,
  type ForeignFilterRule,
  join,
  last,
  letterCase,
  number,
  onlyArgument,
  size,
  textArgument,
} from './foreign-filters.js';
import { patternOfPhp } from './php-date.js';
import { addModifiers, withNote } from './shown-value.js';
import { unsupported } from './unsupported.js';

const capitalized: ForeignFilterRule = (shown) =>
  withNote(
    addModifiers(shown, { kind: 'case', letterCase: 'capitalized' }),
    'The letters after the first become lowercase.',
  );

const floatFormat: ForeignFilterRule = (shown, { args }) => {
  const digits = args[0] === undefined ? 1 : Math.abs(digitsArgument(args[0]));
  const note = 'Trailing zeros are not shown (12.5, not 12.50): for amounts, use as "currency" instead.';
  return withNote(addModifiers(shown, { kind: 'rounded', mode: 'nearest', digits }), note);
};

/** `find_replace:"old|new"` */
const findReplace: ForeignFilterRule = (shown, filter) => {
  const [search = '', replacement, ...more] = textArgument(onlyArgument(filter)).split('|');
  if (search === '' || replacement === undefined || more.length > 0)
    unsupported('Waypost can only replace one text with another.');
  return addModifiers(shown, { kind: 'replacing', search, replacement: replacement ?? '' });
};

const asHtml: ForeignFilterRule = (shown) =>
  shown.modifiers.some((modifier) => modifier.kind === 'as' && modifier.format === 'html')
    ? shown
    : addModifiers(shown, { kind: 'as', format: 'html' });

export const KLAVIYO_FILTERS: FilterRules = new Map<string, ForeignFilterRule>([
  ['default', fallbackOfFalsy],
  ['default_if_none', fallback],
  ['upper', letterCase('uppercase')],
  ['lower', letterCase('lowercase')],
  ['title', letterCase('titlecase')],
  ['capfirst', capitalized],
  ['length', size],
  ['first', first],
  ['last', last],
  ['join', join(', ')],
  ['add', arithmetic('plus')],
  ['subtract', arithmetic('minus')],
  ['multiply', arithmetic('times')],
  ['modulo', arithmetic('modulo')],
  ['divide', division(false)],
  ['floatformat', floatFormat],
  ['intcomma', number],
  ['currency_format', currency],
  ['date', date((format) => (format.includes('%') ? datePatternOf(format) : patternOfPhp(format, 'django')))],
  ['format_date_string', asIs()],
  ['find_replace', findReplace],
  ['safe', asHtml],
  ['escape', asIs()],
  ['force_escape', asIs()],
  ['urlencode', asIs(ENCODING_NOTE)],
]);
