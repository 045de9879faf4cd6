/** Outlook.com: embeds the message in its page, prefixes its classes and ids, and in dark mode darkens light colors. */
import { isNegative, DEFAULT_TRAITS, type ClientTraits } from './client-traits.js';

export const OUTLOOK_COM: ClientTraits = {
  ...DEFAULT_TRAITS,
  app: ['outlook', 'outlook-com'],
  embedded: true,
  prefix: 'x_',
  dark: 'partial',
  ignores: (declaration) =>
    isNegative(declaration) || (declaration.property === 'position' && declaration.text !== 'sticky'),
};
