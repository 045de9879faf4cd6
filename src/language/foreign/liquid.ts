/** Defines Liquid as Customer.io, Braze and OneSignal use it. */
import type { BraceDialect } from './brace-dialect.js';
import { convertBraces } from './brace-template.js';
import { LIQUID_GRAMMAR } from './foreign-expressions.js';
import { liquidNames, rejectLinkName } from './foreign-names.js';
import type { ForeignField, ForeignText } from './foreign-source.js';
import { LIQUID_FILTERS } from './liquid-filters.js';
import { providedByFooter, unsupported } from './unsupported.js';

const LIQUID: BraceDialect = {
  grammar: LIQUID_GRAMMAR,
  truth: 'exists',
  hasComments: false,
  rawTags: new Set(['raw']),
  names: liquidNames,
  filters: LIQUID_FILTERS,
  hasListProperties: true,
  bracketLink: '[unsubscribe_url]',
  show: (name) => {
    rejectLinkName(name);
    if (/^(?:unsubscribe|subscribe|manage_)/.test(name))
      return providedByFooter('an unsubscribe or preferences link');
    if (name === 'abort_message')
      return unsupported(
        'Waypost cannot end a message early: write “required” after the value that it needs.',
      );
    if (name === 'connected_content')
      return unsupported('Waypost does not load data while rendering a message.');
    if (name === 'capture' || name === 'endcapture') return unsupported('Waypost has no variables.');
    return unsupported(`Waypost has no tag “${name.slice(0, 40)}”.`);
  },
};

/** Converts one Liquid text; in linear time. Never throws. */
export function convertLiquid(source: string, field: ForeignField): ForeignText {
  return convertBraces(source, field, LIQUID);
}
