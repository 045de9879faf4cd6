/** Apple Mail: shows nearly all that it is sent, in the dark what the message has for the dark. */
import { PLAIN, type ClientTraits } from './client-traits.js';

export const APPLE_MAIL: ClientTraits = {
  ...PLAIN,
  app: ['apple-mail', 'macos'],
  dark: 'query',
  ignores: ({ property, text }) => property === 'position' && /^(fixed|sticky)$/.test(text),
};
