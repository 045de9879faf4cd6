/** Samsung's mail app: shows most of a message, and in dark mode applies the message's own dark styles. */
import { DEFAULT_TRAITS, type ClientTraits } from './client-traits.js';

export const SAMSUNG_MAIL: ClientTraits = {
  ...DEFAULT_TRAITS,
  app: ['samsung-email', 'android'],
  dark: 'query',
  devices: ['phone'],
  ignores: ({ property, text }) =>
    (property === 'position' && /^(fixed|sticky)$/.test(text)) ||
    (property === 'font-size' && (text.includes('%') || text === 'larger' || text === 'smaller')),
};
