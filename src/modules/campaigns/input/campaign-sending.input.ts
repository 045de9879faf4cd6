/** When and how fast a campaign is sent: the input of section 4.5, shared by REST and GraphQL. */
import { EARLIEST_MOMENT, LATEST_MOMENT, readIsoMoment } from '../../../kernel/iso-moment.js';
import { isTimeZone } from '../../../kernel/time-zone.js';
import { Flag, Moment, OneOf, SearchText, Text, Integer } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { invalidFields, missingField } from '../../../kernel/domain-error.js';
import { snakeCase } from '../../../kernel/letter-case.js';
import { OverrideTokensInput } from '../../inspect/input/override.input.js';
import type { Recurrence } from '../domain/recurrence.js';
import type { RequestedPace, RequestedSchedule } from '../domain/campaign.js';

const MAX_PER_HOUR = 10_000_000;
/** `Z`, or a UTC offset in hours and minutes. */
const OFFSET = /(?:Z|([+-])(\d{2}):?(\d{2})?)$/i;

@Input({ rest: 'SendCampaignFields', graphql: 'SendCampaignInput' }, { mayBeAbsent: true })
export class SendCampaignInput extends OverrideTokensInput {
  @Flag({
    optional: true,
    nullable: 'absent',
    default: false,
    description: 'Whether each contact receives the campaign at the scheduled time in its time zone.',
  })
  localTime?: boolean;

  @Integer({
    optional: true,
    nullable: true,
    min: 1,
    max: MAX_PER_HOUR,
    description: 'Spreads the sending evenly. If not set, everything is sent at once.',
  })
  maxPerHour?: number | null;
}

@Input({ rest: 'ScheduleCampaignFields', graphql: 'ScheduleCampaignInput' })
export class ScheduleCampaignInput extends SendCampaignInput {
  @Text({
    check: (text) =>
      zonedMoment(text)
        ? undefined
        : 'must be an ISO 8601 date-time with an offset, such as 2026-03-02T09:00:00+01:00',
    example: '2026-03-02T09:00:00+01:00',
  })
  scheduledAt: string;
}

const FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
const MAX_INSTANCES = 10_000;

@Input({ rest: 'ScheduleRecurringFields', graphql: 'ScheduleRecurringCampaignInput' })
export class ScheduleRecurringInput extends OverrideTokensInput {
  @OneOf(FREQUENCIES, { description: 'daily, weekly or monthly.' }) frequency: Recurrence['frequency'];
  @Integer({
    optional: true,
    nullable: 'absent',
    min: 0,
    max: 6,
    description: '0 (Monday) to 6 (Sunday). Only valid for weekly schedules.',
  })
  dayOfWeek?: number;

  @Integer({
    optional: true,
    nullable: 'absent',
    min: 1,
    max: 28,
    description: 'Only valid for monthly schedules.',
  })
  dayOfMonth?: number;

  @Integer({ optional: true, nullable: 'absent', min: 0, max: 23, default: 9 }) hour?: number;
  @Integer({ optional: true, nullable: 'absent', min: 0, max: 59, default: 0 }) minute?: number;

  @Text({
    optional: true,
    nullable: 'absent',
    check: (text) => (isTimeZone(text) ? undefined : 'must be an IANA time zone, such as Europe/Berlin'),
    default: 'UTC',
  })
  timezone?: string;

  @Moment({ optional: true, nullable: true }) endsAt?: Date | null;
  @Integer({ optional: true, nullable: true, min: 1, max: MAX_INSTANCES }) maxInstances?: number | null;
}

/** @throws DomainError validation_error for a missing day; invalid_field for a day that does not fit the frequency. */
export function recurrenceFrom(input: ScheduleRecurringInput): Recurrence {
  const { frequency, dayOfWeek = null, dayOfMonth = null, endsAt = null, maxInstances = null } = input;
  const days = { weekly: ['dayOfWeek', dayOfWeek], monthly: ['dayOfMonth', dayOfMonth] } as const;
  for (const [of, [field, day]] of Object.entries(days))
    if (of !== frequency && day !== null)
      throw invalidFields([{ field: snakeCase(field), message: `is only valid for ${of} campaigns` }]);
  if (frequency !== 'daily' && days[frequency][1] === null) throw missingField(snakeCase(days[frequency][0]));
  const { hour = 9, minute = 0, timezone = 'UTC' } = input;
  return { frequency, dayOfWeek, dayOfMonth, hour, minute, timezone, endsAt, maxInstances };
}

export function paceOf({ localTime, maxPerHour }: SendCampaignInput): RequestedPace {
  return { localTime: localTime ?? false, maxPerHour: maxPerHour ?? null };
}

export function scheduleOf({ scheduledAt, ...pace }: ScheduleCampaignInput): RequestedSchedule {
  const zoned = zonedMoment(scheduledAt);
  if (!zoned) throw new TypeError('The moment has been checked.');
  return { ...paceOf(pace), scheduledAt: zoned.at, scheduledOffset: zoned.offset };
}

/** Parses a time and its UTC offset in minutes; undefined if it has no offset, or is invalid. */
function zonedMoment(text: string): { readonly at: Date; readonly offset: number } | undefined {
  const [written, sign, hours = '0', minutes = '0'] = OFFSET.exec(text) ?? [];
  const moment = readIsoMoment(text);
  if (written === undefined || !text.includes('T') || !moment) return undefined;
  if (moment.start < EARLIEST_MOMENT || moment.start > LATEST_MOMENT) return undefined;
  const ahead = Number(hours) * 60 + Number(minutes);
  return { at: new Date(moment.start), offset: sign === '-' ? -ahead : ahead };
}

/** The GraphQL arguments that resume a campaign. */
@Arguments()
export class ResumeCampaignArgs extends OverrideTokensInput {
  @SearchText({ isId: true, description: 'ID of the campaign.' }) id: string;
}
