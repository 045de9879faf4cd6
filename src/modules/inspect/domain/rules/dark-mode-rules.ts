/** What becomes of a message in the dark: codes DM. */
import { rulesOf } from './rule.js';

export const DARK_MODE_RULES = rulesOf('dark_mode', {});
