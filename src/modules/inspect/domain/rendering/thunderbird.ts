/**
 * Thunderbird: shows nearly all of a message. By the data, it ignores media queries since version 78, so that dark
 * styles have no effect; a message's `color-scheme` has.
 */
import { DEFAULT_TRAITS, type ClientTraits } from './client-traits.js';

export const THUNDERBIRD: ClientTraits = {
  ...DEFAULT_TRAITS,
  app: ['thunderbird', 'macos'],
  dark: 'query',
  devices: ['desktop'],
};
