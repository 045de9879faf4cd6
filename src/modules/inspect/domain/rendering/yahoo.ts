/**
 * Yahoo! Mail in a browser: embeds the message in its page, supports few media queries, and turns heights into minimum
 * heights.
 */
import { hasBlankColour, isNegative, PLAIN, type ClientTraits, type Met } from './client-traits.js';

export const YAHOO: ClientTraits = {
  ...PLAIN,
  app: ['yahoo', 'desktop-webmail'],
  embedded: true,
  prefix: 'yiv1',
  // It rewrites a height to a minimum height, which looks the same as long as the text fits.
  spares: new Set(['css-height']),
  ignores,
  heedsMedia: (prelude) => {
    const features = [...prelude.matchAll(/\(\s*([\w-]+)/g)].map(([, name = '']) => name.toLowerCase());
    return features.every((name) => /^(min|max)-(width|height)$/.test(name));
  },
};

function ignores(met: Met): boolean {
  const { property, text } = met;
  if (isNegative(met) || hasBlankColour(met)) return true;
  switch (property) {
    case 'position':
      return text !== 'relative' && text !== 'static';
    case 'display':
      return /^(flow-root|inline-flex|inline-grid|contents|revert)$/.test(text);
    case 'border-radius':
      return text.includes('/');
    case 'list-style':
      return text.includes('url(');
    default:
      return false;
  }
}
