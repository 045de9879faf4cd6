/** Samsung's mail app: shows most of a message, and in dark mode applies the message's own dark styles. */
import { PLAIN, type ClientTraits } from './client-traits.js';

export const SAMSUNG_MAIL: ClientTraits = {
  ...PLAIN,
  app: ['samsung-email', 'android'],
  dark: 'query',
  devices: ['phone'],
  ignores: ({ property, text }) =>
    (property === 'position' && /^(fixed|sticky)$/.test(text)) ||
    (property === 'font-size' && (text.includes('%') || text === 'larger' || text === 'smaller')),
};
