/**
 * Outlook for Windows, which renders with Word: it interprets conditional comments, lays out only tables, and applies
 * padding only to their cells.
 */
import {
  hasBlankColour,
  isNegative,
  DEFAULT_TRAITS,
  type ClientTraits,
  type RenderedDeclaration,
} from './client-traits.js';

const CELLS = new Set(['td', 'th']);
/** Elements whose width styles do not control. */
const UNSIZED = new Set(['body', 'span', 'div', 'p', 'img']);
const HEIGHTLESS = new Set(['body', 'span', 'div', 'p']);

export const OUTLOOK_WINDOWS: ClientTraits = {
  ...DEFAULT_TRAITS,
  app: ['outlook', 'windows'],
  conditionals: true,
  dark: 'full',
  devices: ['desktop'],
  ignores,
  ownStyle:
    'p,div,a,span,h1,h2,h3,h4,h5,h6,ul,ol,li{padding:0!important}' +
    'p,div,a,span,td,th,img,h1,h2,h3{max-width:none!important}div,p,span{width:auto!important;height:auto!important}',
};

function ignores(declaration: RenderedDeclaration): boolean {
  const { property, text, element } = declaration;
  if (isNegative(declaration) || hasBlankColour(declaration)) return true;
  const kind = property.replace(/-(top|right|bottom|left)$/, '');
  if (kind === 'padding') return element !== null && !CELLS.has(element);
  if (kind === 'margin') return /\bauto\b/.test(text) || element === 'span' || element === 'body';
  switch (property) {
    case 'background':
      return /url\(|gradient\(/.test(text);
    case 'max-width':
      return element !== 'table' && element !== null;
    case 'width':
      return element !== null && UNSIZED.has(element);
    case 'height':
      return element !== null && HEIGHTLESS.has(element);
    case 'display':
      return text !== 'none' || element === 'img';
    case 'font-size':
      return text.includes('rem');
    case 'text-transform':
      return text === 'lowercase';
    default:
      return false;
  }
}
