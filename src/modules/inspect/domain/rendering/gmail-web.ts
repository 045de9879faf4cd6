/**
 * Gmail in a browser: embeds the message in its page, limits the amount of style, and drops sheets that contain an
 * error.
 */
import { hasBlankColour, isNegative, PLAIN, type ClientTraits, type Met } from './client-traits.js';

/** Gmail ignores <style> elements after this number of characters. */
const GMAIL_STYLE_BOUND = 16 * 1024;

export const GMAIL_WEB: ClientTraits = {
  ...PLAIN,
  app: ['gmail', 'desktop-webmail'],
  embedded: true,
  prefix: 'm_1',
  mostStyle: GMAIL_STYLE_BOUND,
  strictStyle: true,
  bodyStyle: false,
  ignores: ignoredByGmail,
  heedsMedia: (prelude) => !/\(\s*(min-|max-)?(device-)?height\b/i.test(prelude),
  ownStyle: 'body{word-wrap:break-word}',
};

/** What both of Gmail's clients ignore. */
export function ignoredByGmail(met: Met): boolean {
  if (isNegative(met) || hasBlankColour(met)) return true;
  if (met.property === 'list-style') return met.text.includes('url(');
  return (
    met.property === 'overflow-block' || met.property === 'overflow-inline' || met.property === 'row-gap'
  );
}
