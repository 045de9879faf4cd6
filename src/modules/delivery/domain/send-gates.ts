/**
 * What may hold a message back for a time, section 2.3: its step's send window, the workspace's do-not-disturb hours, its
 * frequency cap, and the throttle of its flow. Asked anew whenever the message is due, since the facts may have changed.
 */
import type { EmailSendSettings } from '../../../kernel/email-settings.js';
import { isTimeZone } from '../../../kernel/time-zone.js';
import { ZONE_OF_CONTACT, type WorkspaceSettings } from '../../workspaces/domain/workspace.js';
import { nextWithin, otherHours, timeOfDay, type Hours } from './open-hours.js';

/** What a message waits for. */
export const SEND_GATES = ['send_window', 'do_not_disturb', 'frequency_cap', 'throttle'] as const;
export type SendGate = (typeof SEND_GATES)[number];

/** What holds a message back: a gate, the pause of all of the workspace's promotional mail, or that of its campaign. */
export const HOLDS = [...SEND_GATES, 'sending_pause', 'campaign_pause'] as const;
export type Hold = (typeof HOLDS)[number];

/** Why a gate, or a pause that nobody has ended, keeps a message from being sent at all, as its `suppressed_reason`. */
export type GateRefusal = 'frequency_cap' | 'no_open_hours' | 'sending_paused' | 'plan_limit_reached';

/** Whoever waits in a line is not due by himself. */
export const NEVER_DUE = new Date('9999-12-31T00:00:00Z');

export type StepSendSettings = Partial<EmailSendSettings> | undefined;

export interface ClockFacts {
  readonly settings: StepSendSettings;
  readonly workspace: Pick<WorkspaceSettings, 'dnd' | 'timezone'>;
  readonly contactTimezone: string | null;
}

export type ClockDecision =
  | { readonly kind: 'open' }
  | { readonly kind: 'wait'; readonly gate: SendGate; readonly until: Date }
  /** The hours leave no moment in which the message could go. */
  | { readonly kind: 'never' };

const OPEN: ClockDecision = { kind: 'open' };
/** Beyond it the window and the hours of rest are taken for such that never agree. */
const MOST_TURNS = 8;

/** Whether clocks on the wall let a message go now, and when they will. */
export function decideByClocks(
  { settings, workspace, contactTimezone }: ClockFacts,
  now: Date,
): ClockDecision {
  const zoneOf = (named: string | undefined): string => zoneFor(named, contactTimezone, workspace.timezone);
  const window = settings?.sendWindowEnabled
    ? hoursOf(settings.sendWindowStart, settings.sendWindowEnd, () => zoneOf(settings.sendWindowTimezone))
    : undefined;
  const { dnd } = workspace;
  const rest =
    dnd && settings?.ignoreDnd === false
      ? hoursOf(dnd.start, dnd.end, () => zoneOf(dnd.timezone))
      : undefined;
  if (!window && !rest) return OPEN;
  return earliest(window, rest && otherHours(rest), now);
}

function earliest(window: Hours | undefined, outsideRest: Hours | undefined, now: Date): ClockDecision {
  let moment = now.getTime();
  let gate: SendGate = 'send_window';
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const opening = window ? nextWithin(window, moment) : moment;
    if (opening === undefined) return { kind: 'never' };
    const end = outsideRest ? nextWithin(outsideRest, opening) : opening;
    if (end === undefined) return { kind: 'never' };
    if (turn === 0 && opening === moment && end !== opening) gate = 'do_not_disturb';
    if (end === opening)
      return opening === now.getTime() ? OPEN : { kind: 'wait', gate, until: new Date(opening) };
    moment = end;
  }
  return { kind: 'never' };
}

function hoursOf(start: string | undefined, end: string | undefined, zone: () => string): Hours | undefined {
  const [from, to] = [timeOfDay(start ?? ''), timeOfDay(end ?? '')];
  return from === undefined || to === undefined ? undefined : { start: from, end: to, zone: zone() };
}

/** The named zone, or the contact's where none is, or the workspace's, or UTC; what is stored may be no zone any more. */
function zoneFor(
  named: string | undefined,
  ofContact: string | null,
  ofWorkspace: string | undefined,
): string {
  const asked = named === undefined || named === ZONE_OF_CONTACT ? ofContact : named;
  for (const zone of [asked, ofWorkspace]) if (zone && isTimeZone(zone)) return zone;
  return 'UTC';
}

/** Whether the step's message counts toward the workspace's cap. */
export function countsForCap(settings: StepSendSettings): boolean {
  return settings?.countForFrequencyCapping === true;
}

/** Whether the cap is asked about the message at all. */
export function isCapped(settings: StepSendSettings): boolean {
  return settings?.ignoreFrequencyCapping === false;
}

/** The gates that a message is asked at; `hasSlot`: whether it has used or holds a slot of its flow's throttle. */
export function gatesOf(settings: StepSendSettings, hasSlot: boolean): SendGate[] {
  const asks: Readonly<Record<SendGate, boolean>> = {
    send_window: settings?.sendWindowEnabled === true,
    do_not_disturb: settings?.ignoreDnd === false,
    frequency_cap: isCapped(settings),
    throttle: hasSlot,
  };
  return SEND_GATES.filter((gate) => asks[gate]);
}

/** How much of a cap a contact had used when it kept a message from being sent. */
export interface CapFigures {
  readonly sent: number;
  readonly max: number;
  readonly periodHours: number;
}

/** What is known of a contact's messages that count toward the cap. */
export interface CountedMessages {
  /** Sent within the cap's period, or of unknown fate. */
  readonly sent: number;
  /** Being sent. */
  readonly inHand: number;
}

/** How long a message rests whose place depends on one that is being sent. */
const UNDECIDED_PAUSE = 2_000;

export type CapDecision =
  { readonly kind: 'open' } | { readonly kind: 'wait'; readonly until: Date } | { readonly kind: 'suppress' };

/** Whether a cap of `max` has a place for one more. */
export function decideByCap({ sent, inHand }: CountedMessages, max: number, now: Date): CapDecision {
  if (sent >= max) return { kind: 'suppress' };
  if (sent + inHand < max) return { kind: 'open' };
  // Should one of those in hand not go out, this one has its place.
  return { kind: 'wait', until: new Date(now.getTime() + UNDECIDED_PAUSE) };
}
