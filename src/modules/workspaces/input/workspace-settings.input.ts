/** Input for a workspace's delivery settings; omitted members do not change, null removes. */
import { isTimeZone } from '../../../kernel/time-zone.js';
import { Flag, Nested, Text, Texts, Integer } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import {
  isTimeOfDay,
  MAX_CAP_PERIOD_HOURS,
  MAX_FREQUENCY_CAP,
  MAX_MAIL_TRANSPORTS,
  CONTACT_TIME_ZONE,
  type SettingsChange,
  type WorkspaceSettings,
} from '../domain/workspace.js';

const TIME_OF_DAY = {
  check: (text: string) => (isTimeOfDay(text) ? undefined : 'is no time'),
  message: 'must be a time such as 09:30',
} as const;

@Input({ graphql: 'FrequencyCapInput' })
export class FrequencyCapInput implements NonNullable<WorkspaceSettings['frequencyCap']> {
  @Integer({
    min: 1,
    max: MAX_FREQUENCY_CAP,
    description: 'Maximum number of emails to one contact within the period.',
  })
  max: number;
  @Integer({ min: 1, max: MAX_CAP_PERIOD_HOURS, description: 'Length of the period in hours.' })
  periodHours: number;
}

@Input(
  { graphql: 'DoNotDisturbInput' },
  {
    nullIsAbsent: true,
    together: (dnd) => {
      const { start, end } = dnd as DoNotDisturbInput;
      return start === end ? [{ member: 'end', message: 'must differ from the start' }] : [];
    },
  },
)
export class DoNotDisturbInput implements NonNullable<WorkspaceSettings['dnd']> {
  @Text(TIME_OF_DAY) start: string;
  @Text(TIME_OF_DAY) end: string;

  @Text({
    optional: true,
    check: (text) => (text === CONTACT_TIME_ZONE || isTimeZone(text) ? undefined : 'is no time zone'),
    message: 'must be contact or an IANA time zone, such as Europe/Berlin',
    description: 'An IANA time zone, or `contact` (the default) for the contact’s own time zone.',
  })
  timezone?: string;
}

@Input({ graphql: 'TrackingInput', description: 'Open and click tracking.' })
export class TrackingInput implements NonNullable<WorkspaceSettings['tracking']> {
  @Flag({ description: 'Whether to add a tracking image to emails to record opens.' }) opens: boolean;
  @Flag({ description: 'Whether to route links through Waypost to record clicks.' }) clicks: boolean;
  @Flag({ description: 'Whether to track transactional mail too.' }) transactional: boolean;
}

@Input({ graphql: 'WorkspaceSettingsInput' })
export class WorkspaceSettingsInput implements SettingsChange {
  @Nested(FrequencyCapInput, { optional: true, nullable: true }) frequencyCap?: FrequencyCapInput | null;
  @Nested(DoNotDisturbInput, { optional: true, nullable: true }) dnd?: DoNotDisturbInput | null;

  @Text({
    optional: true,
    nullable: true,
    check: (text) => (isTimeZone(text) ? undefined : 'is no time zone'),
    message: 'must be an IANA time zone, such as Europe/Berlin',
    description: 'IANA time zone used for contacts without their own. UTC if not set.',
  })
  timezone?: string | null;

  @Nested(TrackingInput, { optional: true, nullable: true }) tracking?: TrackingInput | null;

  @Texts({
    optional: true,
    nullable: true,
    min: 1,
    max: MAX_MAIL_TRANSPORTS,
    description:
      'Names of the operator’s transports to use for live mail, without duplicates, in the order they are ' +
      'tried. All of them, in the operator’s order, if not set.',
  })
  mailTransports?: readonly string[] | null;
}
