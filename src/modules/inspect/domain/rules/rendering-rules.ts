/** What a message looks like once mail programs have rewritten it: codes RN. */
import { rulesOf } from './rule.js';

export const RENDERING_RULES = rulesOf('rendering', {});
