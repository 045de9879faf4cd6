/** Apple Mail: shows nearly all of a message, and in dark mode applies the message's own dark styles. */
import { DEFAULT_TRAITS, type ClientTraits } from './client-traits.js';

export const APPLE_MAIL: ClientTraits = {
  ...DEFAULT_TRAITS,
  app: ['apple-mail', 'macos'],
  dark: 'query',
  ignores: ({ property, text }) => property === 'position' && /^(fixed|sticky)$/.test(text),
};
