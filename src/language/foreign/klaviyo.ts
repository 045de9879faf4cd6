/** Defines Klaviyo's template language: Django's tags and its additions. */
import type { BraceDialect } from './brace-dialect.js';
import { convertBraces } from './brace-template.js';
import { DJANGO_GRAMMAR } from './foreign-expressions.js';
import { klaviyoNames, rejectLinkName } from './foreign-names.js';
import type { ForeignField, ForeignText, Piece } from './foreign-source.js';
import { KLAVIYO_FILTERS } from './klaviyo-filters.js';
import { omitted, providedByFooter, unsupported } from './unsupported.js';

/** Tags that show a part of the current date, as Unicode patterns. */
const CURRENT_DATE_TAGS: ReadonlyMap<string, string> = new Map([
  ['current_year', 'yyyy'],
  ['current_month', 'M'],
  ['current_month_name', 'MMMM'],
  ['current_day', 'd'],
  ['current_weekday', 'EEEE'],
]);

const KLAVIYO: BraceDialect = {
  grammar: DJANGO_GRAMMAR,
  truth: 'holds',
  hasComments: true,
  rawTags: new Set(['verbatim', 'raw']),
  names: klaviyoNames,
  filters: KLAVIYO_FILTERS,
  hasListProperties: false,
  bracketLink: null,
  show: (name): readonly Piece[] => {
    rejectLinkName(name);
    if (/^(?:unsubscribe|manage_preferences|update_preferences)/.test(name))
      return providedByFooter('an unsubscribe or preferences link');
    if (/^(?:web_view|view_in_browser)/.test(name))
      return omitted('page that shows the message in the browser');
    if (/^(?:forward)/.test(name)) return omitted('page to forward a message');
    const pattern = CURRENT_DATE_TAGS.get(name);
    if (pattern !== undefined) return [{ kind: 'nlt', text: `{now, as "${pattern}"}` }];
    if (/^(?:end)?catalog$/.test(name)) return unsupported('Waypost has no product catalog.');
    if (name === 'coupon_code') return unsupported('Waypost has no coupon codes.');
    return unsupported(`Waypost has no tag “${name.slice(0, 40)}”.`);
  },
};

/** Converts one text of a Klaviyo template; in linear time. Never throws. */
export function convertKlaviyo(source: string, field: ForeignField): ForeignText {
  return convertBraces(source, field, KLAVIYO);
}
