/**
 * What may hold a message for a time, section 2.3: its step's send window, the workspace's do-not-disturb hours, its
 * frequency cap, and the throttle of its flow. Checked again whenever the message is due, because the facts may have
 * changed.
 */
import type { EmailSendSettings } from '../../../kernel/email-settings.js';
import { isTimeZone } from '../../../kernel/time-zone.js';
import { CONTACT_TIME_ZONE, type WorkspaceSettings } from '../../workspaces/domain/workspace.js';
import { nextWithin, otherHours, timeOfDay, type Hours } from './open-hours.js';

/** The gates that a message can wait for. */
export const SEND_GATES = ['send_window', 'do_not_disturb', 'frequency_cap', 'throttle'] as const;
export type SendGate = (typeof SEND_GATES)[number];

/**
 * What can hold a message: a gate, the pause of all promotional mail of the workspace, or the pause of its campaign.
 */
export const HOLDS = [...SEND_GATES, 'sending_pause', 'campaign_pause'] as const;
export type Hold = (typeof HOLDS)[number];

/**
 * Why a gate, or a pause that was not ended in time, keeps a message from being sent at all. Stored as its
 * `suppressed_reason`.
 */
export type GateRefusal = 'frequency_cap' | 'no_open_hours' | 'sending_paused' | 'plan_limit_reached';

/** A message in a throttle queue is never due by itself. */
export const NEVER_DUE = new Date('9999-12-31T00:00:00Z');

export type StepSendSettings = Partial<EmailSendSettings> | undefined;

export interface SendHoursInputs {
  readonly settings: StepSendSettings;
  readonly workspace: Pick<WorkspaceSettings, 'dnd' | 'timezone'>;
  readonly contactTimezone: string | null;
}

export type SendHoursDecision =
  | { readonly kind: 'open' }
  | { readonly kind: 'wait'; readonly gate: SendGate; readonly until: Date }
  /** The hours leave no time at which the message could go. */
  | { readonly kind: 'never' };

const OPEN: SendHoursDecision = { kind: 'open' };
/** After this number of rounds, the window and the quiet hours are taken to never agree. */
const MAX_ROUNDS = 8;

/** Whether clocks let a message go now, or when they will. */
export function decideBySendHours(
  { settings, workspace, contactTimezone }: SendHoursInputs,
  now: Date,
): SendHoursDecision {
  const zoneOf = (named: string | undefined): string => zoneFor(named, contactTimezone, workspace.timezone);
  const window = settings?.sendWindowEnabled
    ? hoursOf(settings.sendWindowStart, settings.sendWindowEnd, () => zoneOf(settings.sendWindowTimezone))
    : undefined;
  const { dnd } = workspace;
  const quietHours =
    dnd && settings?.ignoreDnd === false
      ? hoursOf(dnd.start, dnd.end, () => zoneOf(dnd.timezone))
      : undefined;
  if (!window && !quietHours) return OPEN;
  return earliest(window, quietHours && otherHours(quietHours), now);
}

function earliest(
  window: Hours | undefined,
  outsideQuietHours: Hours | undefined,
  now: Date,
): SendHoursDecision {
  let moment = now.getTime();
  let gate: SendGate = 'send_window';
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const opening = window ? nextWithin(window, moment) : moment;
    if (opening === undefined) return { kind: 'never' };
    const end = outsideQuietHours ? nextWithin(outsideQuietHours, opening) : opening;
    if (end === undefined) return { kind: 'never' };
    if (round === 0 && opening === moment && end !== opening) gate = 'do_not_disturb';
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

/** The named time zone, else the contact's, else the workspace's, else UTC. A stored zone may no longer be valid. */
function zoneFor(
  named: string | undefined,
  ofContact: string | null,
  ofWorkspace: string | undefined,
): string {
  const requested = named === undefined || named === CONTACT_TIME_ZONE ? ofContact : named;
  for (const zone of [requested, ofWorkspace]) if (zone && isTimeZone(zone)) return zone;
  return 'UTC';
}

/** Whether the step's message counts toward the workspace's cap. */
export function countsForCap(settings: StepSendSettings): boolean {
  return settings?.countForFrequencyCapping === true;
}

/** Whether the cap applies to the message at all. */
export function isCapped(settings: StepSendSettings): boolean {
  return settings?.ignoreFrequencyCapping === false;
}

/** The gates that apply to a message. `hasSlot`: whether it has used or holds a slot of its flow's throttle. */
export function gatesOf(settings: StepSendSettings, hasSlot: boolean): SendGate[] {
  const applies: Readonly<Record<SendGate, boolean>> = {
    send_window: settings?.sendWindowEnabled === true,
    do_not_disturb: settings?.ignoreDnd === false,
    frequency_cap: isCapped(settings),
    throttle: hasSlot,
  };
  return SEND_GATES.filter((gate) => applies[gate]);
}

/** How much of the cap a contact had used when the cap kept a message from being sent. */
export interface CapUsage {
  readonly sent: number;
  readonly max: number;
  readonly periodHours: number;
}

/** A contact's messages that count toward the cap. */
export interface CountedMessages {
  /** Sent within the cap's period, or with an unknown outcome. */
  readonly sent: number;
  /** Being sent. */
  readonly inHand: number;
}

/** Milliseconds that a message waits if its capacity under the cap depends on one that is being sent. */
const UNDECIDED_PAUSE_MS = 2_000;

export type CapDecision =
  { readonly kind: 'open' } | { readonly kind: 'wait'; readonly until: Date } | { readonly kind: 'suppress' };

/** Whether a cap of `max` has capacity for one more. */
export function decideByCap({ sent, inHand }: CountedMessages, max: number, now: Date): CapDecision {
  if (sent >= max) return { kind: 'suppress' };
  if (sent + inHand < max) return { kind: 'open' };
  // If one of those being sent does not leave, this message takes its capacity.
  return { kind: 'wait', until: new Date(now.getTime() + UNDECIDED_PAUSE_MS) };
}
