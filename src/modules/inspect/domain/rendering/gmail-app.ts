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
  ignores: (met) =>
    ignoredByGmail(met) ||
    (met.property === 'background-image' && met.element !== null && /-gradient\(/.test(met.text)) ||
    (met.property === 'white-space' && met.text === 'pre'),
};
