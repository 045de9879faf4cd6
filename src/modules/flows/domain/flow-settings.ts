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

/** A setting that is not made though another one needs it. */
export interface MissingSetting {
  readonly member: keyof FlowSettings;
  readonly because: keyof FlowSettings;
  /** The value of the other. */
  readonly is: string;
}

/** What these settings lack. */
export function missingSettings(settings: FlowSettings): readonly MissingSetting[] {
  const needed: readonly MissingSetting[] = [
    ...(settings.reentryPolicy === 'cooldown'
      ? [{ member: 'reentryCooldownDays', because: 'reentryPolicy', is: 'cooldown' } as const]
      : []),
    ...(settings.throttleEnabled
      ? (['throttleLimit', 'throttlePeriod'] as const).map((member) => ({
          member,
          because: 'throttleEnabled' as const,
          is: 'true',
        }))
      : []),
  ];
  return needed.filter(({ member }) => settings[member] === null);
}
