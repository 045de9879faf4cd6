/** Outlook.com: embeds the message in its page, prefixes its classes and ids, and in dark mode darkens light colors. */
import { isNegative, PLAIN, type ClientTraits } from './client-traits.js';

export const OUTLOOK_COM: ClientTraits = {
  ...PLAIN,
  app: ['outlook', 'outlook-com'],
  embedded: true,
  prefix: 'x_',
  dark: 'partial',
  ignores: (met) => isNegative(met) || (met.property === 'position' && met.text !== 'sticky'),
};
