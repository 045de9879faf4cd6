/** Outlook.com: a message within its page, whose classes and ids get a prefix; it darkens what is light when it is dark. */
import { isNegative, PLAIN, type ClientTraits } from './client-traits.js';

export const OUTLOOK_COM: ClientTraits = {
  ...PLAIN,
  app: ['outlook', 'outlook-com'],
  embedded: true,
  prefix: 'x_',
  dark: 'partial',
  ignores: (met) => isNegative(met) || (met.property === 'position' && met.text !== 'sticky'),
};
