/** The settings of a flow and their defaults, section 2.3. */
import { DomainError, listErrors, type FieldError } from '../../../kernel/domain-error.js';
import { snakeCase, type Spelling } from '../../../kernel/letter-case.js';
import type { FlowSettings } from './flow.js';
import { fieldError } from './field-error.js';

export const DEFAULT_SETTINGS: FlowSettings = {
  reentryPolicy: 'never',
  reentryCooldownDays: null,
  throttleEnabled: false,
  throttleLimit: null,
  throttlePeriod: null,
};

export const REENTRY_POLICIES = ['never', 'after_completion', 'always', 'cooldown'] as const;
export const THROTTLE_PERIODS = ['hour', 'day'] as const;
/** Ten years, as for waits. */
export const MAX_COOLDOWN_DAYS = 3_650;
/** Send slots are counted; a larger value would not throttle. */
export const MAX_THROTTLE_LIMIT = 1_000_000;

/**
 * Validates the settings together, and each one again: settings of an old version were stored under the rules of
 * their time.
 * @throws DomainError invalid_field that names every invalid setting.
 */
export function assertSettings(settings: FlowSettings): void {
  const errors = settingsErrors(settings, snakeCase);
  if (errors.length === 0) return;
  throw new DomainError('invalid_field', listErrors(errors), (spell) => ({
    errors: settingsErrors(settings, spell),
  }));
}

function settingsErrors(settings: FlowSettings, spell: Spelling): FieldError[] {
  const { reentryPolicy, reentryCooldownDays, throttleEnabled, throttleLimit, throttlePeriod } = settings;
  const errors: FieldError[] = [];
  const addError = (member: keyof FlowSettings, message: string): unknown =>
    errors.push(fieldError(`settings.${spell(member)}`, message));
  const requireSetting = (member: keyof FlowSettings, other: keyof FlowSettings, value: string): void => {
    if (settings[member] === null) addError(member, `is required when ${spell(other)} is ${value}`);
  };
  if (!REENTRY_POLICIES.includes(reentryPolicy))
    addError('reentryPolicy', `must be one of ${REENTRY_POLICIES.join(', ')}`);
  if (reentryPolicy === 'cooldown') requireSetting('reentryCooldownDays', 'reentryPolicy', 'cooldown');
  if (!isWithin(reentryCooldownDays, MAX_COOLDOWN_DAYS))
    addError('reentryCooldownDays', `must be between 1 and ${MAX_COOLDOWN_DAYS}`);
  if (throttleEnabled) requireSetting('throttleLimit', 'throttleEnabled', 'true');
  if (!isWithin(throttleLimit, MAX_THROTTLE_LIMIT))
    addError('throttleLimit', `must be between 1 and ${MAX_THROTTLE_LIMIT}`);
  if (throttleEnabled) requireSetting('throttlePeriod', 'throttleEnabled', 'true');
  if (throttlePeriod !== null && !THROTTLE_PERIODS.includes(throttlePeriod))
    addError('throttlePeriod', `must be one of ${THROTTLE_PERIODS.join(', ')}`);
  return errors;
}

/** Whether a setting is null, or a whole number from 1 to `max`. */
function isWithin(value: number | null, max: number): boolean {
  return value === null || (Number.isInteger(value) && value >= 1 && value <= max);
}
