/**
 * Reads the send settings of an email step, section 2.3. This release has no frequency cap, no do-not-disturb and no
 * send window, so a setting that would need one of them is refused: what is stored is a promise.
 */
import type { EmailSendSettings } from '../../../kernel/email-settings.js';
import type { FieldError } from '../../../kernel/domain-error.js';
import { isJsonObject } from '../../../kernel/json.js';
import { camelKeys, snakeKeys } from '../../../kernel/letter-case.js';
import { isTimeZone } from '../../contacts/domain/read-contact.js';
import { reading, refused, type Reading } from './reading.js';
import type { WrittenSendSettings } from './written-flow.js';

type Check = (value: unknown) => string | undefined;

const isFlag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');

const only =
  (kept: boolean, missing: string): Check =>
  (value) =>
    isFlag(value) ?? (value === kept ? undefined : `must be ${kept}: this release has no ${missing} yet`);

const isTimeOfDay: Check = (value) =>
  typeof value === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value)
    ? undefined
    : 'must be a time such as 09:30';

const CHECKS = snakeKeys<Readonly<Record<keyof EmailSendSettings, Check>>>({
  ignoreFrequencyCapping: only(true, 'frequency cap'),
  countForFrequencyCapping: only(false, 'frequency cap'),
  ignoreDnd: only(true, 'do-not-disturb windows'),
  sendToUnsubscribed: isFlag,
  sendWindowEnabled: only(false, 'send windows'),
  sendWindowStart: isTimeOfDay,
  sendWindowEnd: isTimeOfDay,
  sendWindowTimezone: (value) =>
    value === 'contact' || (typeof value === 'string' && isTimeZone(value))
      ? undefined
      : 'must be contact or an IANA time zone, such as Europe/Berlin',
});

/**
 * Reads send settings as they are given; absent ones have their defaults when the message is sent.
 * @param field name of the field in errors, such as `steps[0].email_send_settings`.
 */
export function readEmailSendSettings(input: unknown, field: string): Reading<Partial<EmailSendSettings>> {
  if (!isJsonObject(input)) return reading({}, [refused(field, 'must be an object')]);
  const errors = Object.entries(input).flatMap(([name, value]): FieldError[] => {
    const check = Object.hasOwn(CHECKS, name)
      ? CHECKS[name as keyof typeof CHECKS]
      : () => 'is not a known setting';
    const message = check(value);
    return message === undefined ? [] : [refused(`${field}.${name}`, message)];
  });
  return reading(camelKeys(input as WrittenSendSettings), errors);
}
