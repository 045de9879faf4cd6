/** Samsung's mail app: shows most of what it is sent, in the dark what the message has for the dark. */
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
