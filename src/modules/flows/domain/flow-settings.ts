/** The settings of a flow and what they are where nothing is said, section 2.3. */
import type { FlowSettings } from './flow.js';

export const DEFAULT_SETTINGS: FlowSettings = {
  reentryPolicy: 'never',
  reentryCooldownDays: null,
  throttleEnabled: false,
  throttleLimit: null,
  throttlePeriod: null,
};

export const REENTRY_POLICIES = ['never', 'after_completion', 'always', 'cooldown'] as const;
export const THROTTLE_PERIODS = ['hour', 'day'] as const;
