/**
 * Reads the settings of a flow, section 2.3, and fills in their defaults. A setting that this release does not carry
 * out is refused: what is stored is a promise.
 */
import type { FieldError } from '../../../kernel/domain-error.js';
import { isJsonObject } from '../../../kernel/json.js';
import { camelKeys, snakeKeys } from '../../../kernel/letter-case.js';
import type { FlowSettings } from './flow.js';
import { reading, refused, type Reading } from './reading.js';

export const DEFAULT_SETTINGS: FlowSettings = {
  reentryPolicy: 'never',
  reentryCooldownDays: null,
  throttleEnabled: false,
  throttleLimit: null,
  throttlePeriod: null,
};

export const REENTRY_POLICIES: readonly FlowSettings['reentryPolicy'][] = [
  'never',
  'after_completion',
  'always',
  'cooldown',
];
export const THROTTLE_PERIODS: readonly FlowSettings['throttlePeriod'][] = ['hour', 'day'];

/** Ten years, as for waits. */
const LONGEST_COOLDOWN = 3_650;
const LARGEST_THROTTLE = 2_147_483_647;

const isCount = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;

/** What is wrong with one setting; undefined when nothing is. Null stands for a setting that is not made. */
const CHECKS = snakeKeys<Readonly<Record<keyof FlowSettings, (value: unknown) => string | undefined>>>({
  reentryPolicy: (value) => oneOf(REENTRY_POLICIES, value),
  reentryCooldownDays: (value) =>
    value === null || isCount(value, LONGEST_COOLDOWN)
      ? undefined
      : `must be an integer from 1 to ${LONGEST_COOLDOWN}, or null`,
  throttleEnabled: (value) => {
    if (typeof value !== 'boolean') return 'must be true or false';
    return value ? 'must be false: this release does not throttle sends yet' : undefined;
  },
  throttleLimit: (value) =>
    value === null || isCount(value, LARGEST_THROTTLE)
      ? undefined
      : 'must be an integer of at least 1, or null',
  throttlePeriod: (value) => (value === null ? undefined : oneOf(THROTTLE_PERIODS, value)),
});

/** Reads settings; absent ones take their defaults. */
export function readSettings(input: unknown): Reading<FlowSettings> {
  if (input === undefined) return reading(DEFAULT_SETTINGS, []);
  if (!isJsonObject(input)) return reading(DEFAULT_SETTINGS, [refused('settings', 'must be an object')]);
  const errors = Object.entries(input).flatMap(([name, value]): FieldError[] => {
    const check = Object.hasOwn(CHECKS, name)
      ? CHECKS[name as keyof typeof CHECKS]
      : () => 'is not a known setting';
    const message = check(value);
    return message === undefined ? [] : [refused(`settings.${name}`, message)];
  });
  const settings: FlowSettings = { ...DEFAULT_SETTINGS, ...camelKeys(input) };
  if (settings.reentryPolicy === 'cooldown' && settings.reentryCooldownDays === null)
    errors.push(refused('settings.reentry_cooldown_days', 'is required when reentry_policy is cooldown'));
  return reading(settings, errors);
}

function oneOf(values: readonly unknown[], value: unknown): string | undefined {
  return values.includes(value) ? undefined : `must be ${values.join(', ')}`;
}
