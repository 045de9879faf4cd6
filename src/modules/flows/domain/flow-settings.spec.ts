import { DomainError } from '../../../kernel/domain-error.js';
import { internalSpelling } from '../../../kernel/letter-case.js';
import { assertSettings, DEFAULT_SETTINGS } from './flow-settings.js';

/** The rejected fields. */
function refused(settings: object): string[] {
  try {
    assertSettings({ ...DEFAULT_SETTINGS, ...settings });
    return [];
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid_field') throw error;
    return (error.fieldsAs(internalSpelling).errors ?? []).map(({ field }) => field.replace('settings.', ''));
  }
}

test.each<[object, string[]]>([
  [{}, []],
  [{ reentryPolicy: 'cooldown', reentryCooldownDays: 1 }, []],
  [{ reentryPolicy: 'cooldown', reentryCooldownDays: 3_650 }, []],
  [{ reentryPolicy: 'cooldown' }, ['reentryCooldownDays']],
  [{ reentryPolicy: 'sometimes' }, ['reentryPolicy']],
  [{ reentryCooldownDays: 0 }, ['reentryCooldownDays']],
  [{ reentryCooldownDays: 1.5 }, ['reentryCooldownDays']],
  [{ reentryCooldownDays: 3_651 }, ['reentryCooldownDays']],
  [{ throttleEnabled: true, throttleLimit: 1, throttlePeriod: 'hour' }, []],
  [{ throttleEnabled: true }, ['throttleLimit', 'throttlePeriod']],
  [{ throttleEnabled: true, throttlePeriod: 'day' }, ['throttleLimit']],
  [{ throttleLimit: 5 }, []],
  [{ throttleLimit: 0 }, ['throttleLimit']],
  [{ throttlePeriod: 'week' }, ['throttlePeriod']],
])('%j: %j', (settings, fields) => expect(refused(settings)).toEqual(fields));
