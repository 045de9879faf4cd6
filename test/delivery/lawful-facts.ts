/** A simple model of a message's case: its state at a moment, and the outcomes that this state allows. */
import { DAY, HOUR } from '../support/clock.js';
import { COMPANY, NO_ADDRESS, ZONES, type Case, type WallHours, type Zone } from './lawful-cases.js';

const MINUTE = 60_000;
const CAP_PERIOD = 24 * HOUR;
/** Duration of a contact's pause, and how long messages wait while promotional mail is stopped. */
export const REST = 30 * DAY;
export const LONGEST_STOP = 7 * DAY;

/** The state that changes during a case. */
export interface Facts {
  readonly given: Case;
  /** The first message of the case; every other one was requested by a resend. */
  firstId: string | undefined;
  now: Date;
  email: string | null;
  status: 'subscribed' | 'unsubscribed' | 'deleted';
  isListed: boolean;
  /** What the opt-out under another record applies to. */
  refused: 'address' | 'identifier' | undefined;
  choice: boolean | undefined;
  restsUntil: Date | undefined;
  stoppedAt: Date | undefined;
  wasResumed: boolean;
  /** When counted messages were sent to the contact, by message id. */
  readonly counted: Map<string, Date>;
  /** When messages of the source were sent. */
  readonly slots: Date[];
}

export const isPromotional = ({ given }: Facts): boolean => given.contentType === 'promotional';

/** Whether the message belongs to a source that can have a throttle. */
export const isOfSource = ({ origin }: Case): boolean => origin === 'trip' || origin === 'campaign';

/** Every reason for which the message must not be sent. */
export function reasonsAgainst(facts: Facts, id: string): string[] {
  const { given, now, status, stoppedAt, email } = facts;
  const isStopped = stoppedAt !== undefined && given.environment === 'live' && isPromotional(facts);
  const stands: Readonly<Record<string, boolean>> = {
    workspace_not_live: given.environment === 'live' && !given.isLive,
    contact_deleted: status === 'deleted',
    unsubscribed:
      (status === 'unsubscribed' || facts.refused !== undefined) &&
      !given.sendToUnsubscribed &&
      (isPromotional(facts) || !isAskedFor(facts, id)),
    unsubscribed_topic:
      appliesChoices(facts) && given.topic !== undefined && !(facts.choice ?? given.topic === 'on'),
    paused: appliesChoices(facts) && facts.restsUntil !== undefined && facts.restsUntil > now,
    no_email_address: email === null,
    invalid_email_address: email === NO_ADDRESS,
    suppressed_manual: facts.isListed,
    company_address_incomplete: isPromotional(facts) && given.company !== COMPANY,
    plan_limit_reached: given.isBeyondCap,
    frequency_cap: isCapReached(facts, id),
    no_open_hours: firstOpen(given, now) === undefined,
    sending_paused: isStopped && now.getTime() >= stoppedAt.getTime() + LONGEST_STOP,
    missing_required_field: given.body === 'required',
  };
  return Object.keys(stands).filter((reason) => stands[reason]);
}

/** Whether the application requested this message directly. */
function isAskedFor({ given, firstId }: Facts, id: string): boolean {
  return id !== firstId || given.origin === 'direct';
}

function appliesChoices(facts: Facts): boolean {
  return isPromotional(facts) && !facts.given.sendToUnsubscribed;
}

function isCapReached({ given, now, counted }: Facts, id: string): boolean {
  if (given.cap === undefined || given.ignoresCap) return false;
  const within = [...counted].filter(([other, at]) => other !== id && isWithin(at, CAP_PERIOD, now));
  return within.length >= given.cap;
}

function isWithin(at: Date, period: number, now: Date): boolean {
  return at.getTime() > now.getTime() - period;
}

/** Errors with which the message would fail for any recipient. */
export function failuresOf({ given }: Facts): string[] {
  const stands: Readonly<Record<string, boolean>> = {
    template_inactive: !given.isActive,
    unresolved_placeholder: given.body === 'placeholder',
    invalid_from_address: given.fromEmail === 'nobody',
  };
  return Object.keys(stands).filter((code) => stands[code]);
}

/** The gates that hold the message, each with the time at which it opens; undefined for a throttle. */
export function holdsOf(facts: Facts): Map<string, Date | undefined> {
  const { given, now, stoppedAt } = facts;
  const holds = new Map<string, Date | undefined>();
  if (stoppedAt && given.environment === 'live' && isPromotional(facts)) {
    const until = new Date(stoppedAt.getTime() + LONGEST_STOP);
    if (until > now) holds.set('sending_pause', until);
  }
  const opening = firstOpen(given, now);
  // The gate is recorded when the message is checked; since then either may have opened and closed.
  if (opening && opening > now)
    for (const gate of ['send_window', 'do_not_disturb']) holds.set(gate, opening);
  if (given.throttle !== undefined && isOfSource(given)) {
    const used = facts.slots.filter((at) => isWithin(at, HOUR, now));
    if (used.length >= given.throttle) holds.set('throttle', undefined);
  }
  return holds;
}

/** When the hours next allow the message, found minute by minute; undefined when they never do. */
function firstOpen(given: Case, now: Date): Date | undefined {
  for (let minute = 0; minute < 2 * 24 * 60; minute++) {
    const moment = new Date(now.getTime() + minute * MINUTE);
    if (isWindowOpen(given, moment) && !isRestOn(given, moment)) return moment;
  }
  return undefined;
}

function isWindowOpen({ window, windowZone, contactZone, workspaceZone }: Case, moment: Date): boolean {
  const zone = windowZone === 'contact' ? contactZone : windowZone;
  return !window || isWithinHours(window, zone ?? workspaceZone ?? 'UTC', moment);
}

function isRestOn({ rest, restZone, ignoresRest, contactZone, workspaceZone }: Case, moment: Date): boolean {
  const zone = restZone ?? contactZone ?? workspaceZone ?? 'UTC';
  return rest !== undefined && !ignoresRest && isWithinHours(rest, zone, moment);
}

function isWithinHours([start, end]: WallHours, zone: Zone, moment: Date): boolean {
  const shown = new Date(moment.getTime() + ZONES[zone] * MINUTE).toISOString().slice(11, 16);
  return start < end ? start <= shown && shown < end : start <= shown || shown < end;
}
