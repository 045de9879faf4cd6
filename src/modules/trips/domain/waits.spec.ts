/** Waits are durations: 24 hours are 24 hours, whatever the contact's time zone and its clock changes. */
import { NOTHING_KNOWN } from '../../../../test/support/trip-facts.js';
import { newContact } from '../../contacts/domain/contact.js';
import { assignStepIds } from '../../flows/domain/step-identity.js';
import { advance } from './advance.js';

/**
 * Both clock changes of the year in 13 zones, two of them without any, and by how many hours noon on the next day is
 * off.
 */
const CHANGES: readonly (readonly [zone: string, change: string, hours: number])[] = [
  ['Europe/Berlin', '2026-03-29T01:00Z', 1],
  ['Europe/Berlin', '2026-10-25T01:00Z', -1],
  ['Europe/London', '2026-03-29T01:00Z', 1],
  ['Europe/London', '2026-10-25T01:00Z', -1],
  ['Europe/Dublin', '2026-03-29T01:00Z', 1],
  ['Europe/Dublin', '2026-10-25T01:00Z', -1],
  ['America/New_York', '2026-03-08T07:00Z', 1],
  ['America/New_York', '2026-11-01T06:00Z', -1],
  ['America/Los_Angeles', '2026-03-08T10:00Z', 1],
  ['America/Los_Angeles', '2026-11-01T09:00Z', -1],
  ['America/St_Johns', '2026-03-08T05:30Z', 1],
  ['America/St_Johns', '2026-11-01T04:30Z', -1],
  ['America/Santiago', '2026-04-05T03:00Z', -1],
  ['America/Santiago', '2026-09-06T04:00Z', 1],
  ['Australia/Sydney', '2026-04-04T16:00Z', -1],
  ['Australia/Sydney', '2026-10-03T16:00Z', 1],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z', -0.5],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z', 0.5],
  ['Pacific/Auckland', '2026-04-04T14:00Z', -1],
  ['Pacific/Auckland', '2026-09-26T14:00Z', 1],
  ['Pacific/Chatham', '2026-04-04T14:00Z', -1],
  ['Pacific/Chatham', '2026-09-26T14:00Z', 1],
  ['Asia/Kathmandu', '2026-03-29T01:00Z', 0],
  ['Asia/Kathmandu', '2026-10-25T01:00Z', 0],
  ['Asia/Kolkata', '2026-03-29T01:00Z', 0],
  ['Asia/Kolkata', '2026-10-25T01:00Z', 0],
];
const HOUR = 3_600_000;

/** The hour of the day in the zone. */
function hourIn(timeZone: string, moment: Date): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(moment).split(':');
  return Number(parts[0]) + Number(parts[1]) / 60;
}

test.each(CHANGES)('%s, %s: the clock is off by %s h', (timezone, change, hours) => {
  for (const [duration, length] of [
    ['1d', 24],
    ['24h', 24],
    ['1440m', 24],
    ['7d', 168],
  ] as const) {
    const now = new Date(new Date(change).getTime() - 12 * HOUR);
    const contact = { ...newContact('0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0', 'ada', now), timezone };
    const steps = assignStepIds([{ type: 'wait', duration }]);
    const { decision } = advance({ id: 't', lastStep: 0 }, { ...NOTHING_KNOWN, contact, steps }, now);
    const resumeAt = new Date(now.getTime() + length * HOUR);
    expect(decision).toEqual({ kind: 'park', lastStep: 1, resumeAt });
    expect(hourIn(timezone, resumeAt) - hourIn(timezone, now)).toBeCloseTo(hours);
  }
});
