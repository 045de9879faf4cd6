/** Gmail's app for Android, with a Google account: as in a browser, and it darkens what is light when it is dark. */
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
