/**
 * A maximum number of messages of a source (a flow or a campaign) in any hour, or in any 24 hours. A message holds a
 * slot from before its attempt until its outcome is stored. If it left, or may have left, the slot stays used for one
 * period from then on. So no period of that length has more messages than the limit, however long an attempt takes.
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
  /** Held by messages whose outcome is not known yet. */
  readonly inHand: number;
}

const PERIOD_MS: Readonly<Record<Throttle['period'], number>> = { hour: HOUR, day: DAY };

/** The longest period of any throttle, in milliseconds. */
export const MAX_PERIOD_MS = Math.max(...Object.values(PERIOD_MS));

/** Milliseconds for which a slot stays used. */
export function periodOf({ period }: Throttle): number {
  return PERIOD_MS[period];
}

/** The throttle as a string: a count for one limit is not valid for another. */
export function throttleKey({ limit, period }: Throttle): string {
  return `${limit}/${period}`;
}

export function freeSlots({ limit }: Throttle, { used, inHand }: SlotUse): number {
  return Math.max(0, limit - used - inHand);
}

/**
 * If no slot is free: which used slot must become free first, counted from the most recently used one, from 1. Callers
 * never read more slots than the limit. Undefined while messages in flight alone exceed the limit.
 */
export function slotToWaitFor({ limit }: Throttle, { inHand }: Pick<SlotUse, 'inHand'>): number | undefined {
  return inHand < limit ? limit - inHand : undefined;
}

/** A limit may change and a slot may be given back at any time, so a queue is checked again after at most this time. */
const MAX_PAUSE_MS = 15_000;
/** Outcomes of messages in flight are known soon. */
const IN_FLIGHT_PAUSE_MS = 2_000;
/** Counting takes time in proportion to the limit, so a larger limit means a longer pause between counts. */
const PAUSE_MS_PER_SLOT = 0.1;

/** When to check a queue without a free slot next. */
export function nextCheckAt(throttle: Throttle, opensAt: Date | null, now: Date): Date {
  const untilOpen = opensAt ? opensAt.getTime() - now.getTime() : IN_FLIGHT_PAUSE_MS;
  const minPauseMs = throttle.limit * PAUSE_MS_PER_SLOT;
  return new Date(now.getTime() + Math.ceil(Math.min(Math.max(untilOpen, minPauseMs, 1), MAX_PAUSE_MS)));
}
