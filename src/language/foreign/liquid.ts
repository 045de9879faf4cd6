/** Liquid as Customer.io, Braze and OneSignal write it. */
import type { BraceDialect } from './brace-dialect.js';
import { convertBraces } from './brace-template.js';
import { LIQUID_GRAMMAR } from './foreign-expressions.js';
import { liquidNames, refuseLink } from './foreign-names.js';
import type { ForeignField, ForeignText } from './foreign-source.js';
import { LIQUID_FILTERS } from './liquid-filters.js';
import { ofFooter, unfit } from './unfit.js';

const LIQUID: BraceDialect = {
  grammar: LIQUID_GRAMMAR,
  truth: 'exists',
  hasComments: false,
  rawTags: new Set(['raw']),
  names: liquidNames,
  filters: LIQUID_FILTERS,
  asksLists: true,
  bracketLink: '[unsubscribe_url]',
  show: (name) => {
    refuseLink(name);
    if (/^(?:unsubscribe|subscribe|manage_)/.test(name))
      return ofFooter('a link to unsubscribe or change preferences');
    if (name === 'abort_message')
      return unfit(
        'Waypost ends no message in its middle: write “required” behind the value that it must have.',
      );
    if (name === 'connected_content') return unfit('Waypost fetches nothing while a message is made.');
    if (name === 'capture' || name === 'endcapture') return unfit('Waypost has no variables.');
    return unfit(`Waypost has no tag “${name.slice(0, 40)}”.`);
  },
};

/** Converts one text of a template written in Liquid; in linear time. Never throws. */
export function convertLiquid(source: string, field: ForeignField): ForeignText {
  return convertBraces(source, field, LIQUID);
}
