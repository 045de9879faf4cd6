/**
 * At most so many messages of a source, a flow or a campaign, in any hour, or in any 24 hours. A message holds a slot from before its attempt until
 * its fate is stored, and if it went out, or may have, the slot stays used for a period from then on: so that however long
 * an attempt takes, no stretch of time of that length sees more messages than the limit.
 */
import { DAY, HOUR } from '../../../kernel/duration.js';

export interface Throttle {
  readonly limit: number;
  readonly period: 'hour' | 'day';
}

/** Slots of a source that are not free. */
export interface SlotUse {
  /** Used within the period. */
  readonly used: number;
  /** Held by messages whose fate is not known. */
  readonly inHand: number;
}

const PERIOD: Readonly<Record<Throttle['period'], number>> = { hour: HOUR, day: DAY };

/** Milliseconds for which any throttle looks back at most. */
export const LONGEST_PERIOD = Math.max(...Object.values(PERIOD));

/** Milliseconds for which a slot is used. */
export function periodOf({ period }: Throttle): number {
  return PERIOD[period];
}

/** The throttle as a word: what was counted for one limit says nothing about another. */
export function nameOf({ limit, period }: Throttle): string {
  return `${limit}/${period}`;
}

export function freeSlots({ limit }: Throttle, { used, inHand }: SlotUse): number {
  return Math.max(0, limit - used - inHand);
}

/**
 * With no slot free: which of the used ones will make one free, counted from the one used last from 1 on, so that nobody
 * reads more of them than the limit; undefined while those in hand alone are too many.
 */
export function slotToWaitFor({ limit }: Throttle, { inHand }: Pick<SlotUse, 'inHand'>): number | undefined {
  return inHand < limit ? limit - inHand : undefined;
}

/** A limit may be changed and a slot given back at any time, so a line is looked at again this soon. */
const LONGEST_PAUSE = 15_000;
/** Fates of messages in hand are known soon. */
const IN_HAND_PAUSE = 2_000;
/** Counting takes time in proportion to the limit, so the larger it is the longer a line rests between counts. */
const PAUSE_PER_SLOT = 0.1;

/** When a line that has no slot free is looked at next. */
export function nextLook(throttle: Throttle, opensAt: Date | null, now: Date): Date {
  const untilOpen = opensAt ? opensAt.getTime() - now.getTime() : IN_HAND_PAUSE;
  const least = throttle.limit * PAUSE_PER_SLOT;
  return new Date(now.getTime() + Math.ceil(Math.min(Math.max(untilOpen, least, 1), LONGEST_PAUSE)));
}
