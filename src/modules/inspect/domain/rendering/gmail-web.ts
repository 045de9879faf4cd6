/**
 * Gmail in a browser: embeds the message in its page, limits the amount of style, and drops sheets that contain an
 * error.
 */
import {
  hasBlankColour,
  isNegative,
  DEFAULT_TRAITS,
  type ClientTraits,
  type RenderedDeclaration,
} from './client-traits.js';

/** Gmail ignores <style> elements after this number of characters. */
const GMAIL_MAX_STYLE_LENGTH = 16 * 1024;

export const GMAIL_WEB: ClientTraits = {
  ...DEFAULT_TRAITS,
  app: ['gmail', 'desktop-webmail'],
  embedded: true,
  prefix: 'm_1',
  maxStyleLength: GMAIL_MAX_STYLE_LENGTH,
  strictStyle: true,
  bodyStyle: false,
  ignores: ignoredByGmail,
  appliesMedia: (prelude) => !/\(\s*(min-|max-)?(device-)?height\b/i.test(prelude),
  ownStyle: 'body{word-wrap:break-word}',
};

/** What both of Gmail's clients ignore. */
export function ignoredByGmail(declaration: RenderedDeclaration): boolean {
  if (isNegative(declaration) || hasBlankColour(declaration)) return true;
  if (declaration.property === 'list-style') return declaration.text.includes('url(');
  return (
    declaration.property === 'overflow-block' ||
    declaration.property === 'overflow-inline' ||
    declaration.property === 'row-gap'
  );
}

/**
 * Gmail's app for Android, with a Google account: like Gmail in a browser, but in dark mode it darkens light colors.
 */
export const GMAIL_APP: ClientTraits = {
  ...GMAIL_WEB,
  app: ['gmail', 'android'],
  dark: 'partial',
  devices: ['phone'],
  ignores: (declaration) =>
    ignoredByGmail(declaration) ||
    (declaration.property === 'background-image' &&
      declaration.element !== null &&
      /-gradient\(/.test(declaration.text)) ||
    (declaration.property === 'white-space' && declaration.text === 'pre'),
};
