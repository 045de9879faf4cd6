/** Links and images that tell of readers: codes TR. */
import { rulesOf } from './rule.js';

export const TRACKING_RULES = rulesOf('tracking', {});
