/**
 * Yahoo! Mail in a browser: embeds the message in its page, supports few media queries, and turns heights into minimum
 * heights.
 */
import {
  hasBlankColour,
  isNegative,
  DEFAULT_TRAITS,
  type ClientTraits,
  type RenderedDeclaration,
} from './client-traits.js';

export const YAHOO: ClientTraits = {
  ...DEFAULT_TRAITS,
  app: ['yahoo', 'desktop-webmail'],
  embedded: true,
  prefix: 'yiv1',
  // It rewrites a height to a minimum height, which looks the same as long as the text fits.
  spares: new Set(['css-height']),
  ignores,
  appliesMedia: (prelude) => {
    const features = [...prelude.matchAll(/\(\s*([\w-]+)/g)].map(([, name = '']) => name.toLowerCase());
    return features.every((name) => /^(min|max)-(width|height)$/.test(name));
  },
};

function ignores(declaration: RenderedDeclaration): boolean {
  const { property, text } = declaration;
  if (isNegative(declaration) || hasBlankColour(declaration)) return true;
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
