/** What becomes of a message in the dark: codes DM. */
import { rulesOf } from './rule.js';

export const DARK_MODE_RULES = rulesOf('dark_mode', {
  dark_text_unreadable: {
    code: 'DM040',
    severity: 'warning',
    preflight: 'accessibility',
    title: 'Text unreadable in the dark',
    cause: 'Of text and background only one changes in the dark, so that they come to differ too little.',
    fix: 'Set both colours on the same element, and look at what they become in the dark.',
  },
  dark_styles_lost: {
    code: 'DM041',
    severity: 'info',
    preflight: 'content',
    title: 'Styles for the dark not heeded',
    cause: 'The program does not know prefers-color-scheme, and changes colours by itself or not at all.',
    fix: 'Choose colours that can be read when they are turned over, too.',
  },
  dark_text_on_picture: {
    code: 'DM042',
    severity: 'info',
    preflight: 'images',
    title: 'Text turned light upon an image that stays light',
    cause: 'Programs change the colour of text in the dark, but no image or gradient behind it.',
    fix: 'Put text on a plain background-color, or test its image against light text.',
  },
});
