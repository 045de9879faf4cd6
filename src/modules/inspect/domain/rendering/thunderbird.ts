/**
 * Thunderbird: shows nearly all that it is sent. By the data it heeds no media queries since version 78, so that styles for
 * the dark do not come to bear; what a message says of `color-scheme` does.
 */
import { PLAIN, type ClientTraits } from './client-traits.js';

export const THUNDERBIRD: ClientTraits = {
  ...PLAIN,
  app: ['thunderbird', 'macos'],
  dark: 'query',
  devices: ['desktop'],
};
