/** When and how fast a campaign is sent, as callers say it: section 4.5, in REST and GraphQL alike. */
import { EARLIEST, LATEST, readIsoMoment } from '../../../kernel/iso-moment.js';
import { Flag, Text, Whole } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import type { Pace, WantedSchedule } from '../application/campaign-life-cycle.js';

const MOST_PER_HOUR = 10_000_000;
/** `Z`, or hours and minutes ahead of UTC or behind it. */
const OFFSET = /(?:Z|([+-])(\d{2}):?(\d{2})?)$/i;

@Input({ rest: 'SendCampaignFields', graphql: 'SendCampaignInput' }, { mayBeAbsent: true })
export class SendCampaignInput {
  @Flag({
    optional: true,
    nullable: 'absent',
    default: false,
    description: 'Whether each contact gets it at the wall clock of its own zone.',
  })
  localTime?: boolean;

  @Whole({
    optional: true,
    nullable: true,
    min: 1,
    max: MOST_PER_HOUR,
    description: 'Spreads the sending evenly; at once where there is none.',
  })
  maxPerHour?: number | null;
}

@Input({ rest: 'ScheduleCampaignFields', graphql: 'ScheduleCampaignInput' })
export class ScheduleCampaignInput extends SendCampaignInput {
  @Text({
    check: (text) =>
      zonedMoment(text)
        ? undefined
        : 'must be a moment in ISO 8601 with its offset, such as 2026-03-02T09:00:00+01:00',
    example: '2026-03-02T09:00:00+01:00',
  })
  scheduledAt: string;
}

export function paceOf({ localTime, maxPerHour }: SendCampaignInput): Pace {
  return { localTime: localTime ?? false, maxPerHour: maxPerHour ?? null };
}

export function scheduleOf({ scheduledAt, ...pace }: ScheduleCampaignInput): WantedSchedule {
  const zoned = zonedMoment(scheduledAt);
  if (!zoned) throw new TypeError('The moment has been checked.');
  return { ...paceOf(pace), scheduledAt: zoned.at, scheduledOffset: zoned.offset };
}

/** A moment with the offset that it was written with, in minutes; undefined where it has none, or is none. */
function zonedMoment(text: string): { readonly at: Date; readonly offset: number } | undefined {
  const [written, sign, hours = '0', minutes = '0'] = OFFSET.exec(text) ?? [];
  const moment = readIsoMoment(text);
  if (written === undefined || !text.includes('T') || !moment) return undefined;
  if (moment.start < EARLIEST || moment.start > LATEST) return undefined;
  const ahead = Number(hours) * 60 + Number(minutes);
  return { at: new Date(moment.start), offset: sign === '-' ? -ahead : ahead };
}
