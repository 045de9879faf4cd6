/**
 * Gmail's app for Android, with a Google account: like Gmail in a browser, but in dark mode it darkens light colors.
 */
import type { ClientTraits } from './client-traits.js';
import { GMAIL_WEB, ignoredByGmail } from './gmail-web.js';

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
