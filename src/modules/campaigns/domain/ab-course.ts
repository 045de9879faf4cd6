/** How a test of variants goes on: when it is over, and when those who were not of it have their turn. */
import { HOUR } from '../../../kernel/duration.js';
import type { CampaignInstance, DecidedBy } from './instance.js';
import { turnOf } from './send-moment.js';

/** Whether it tests variants and has not decided for one. */
export function isTesting({ content, winner }: Pick<CampaignInstance, 'content' | 'winner'>): boolean {
  return content.abTest !== null && winner === null;
}

/** Whether a person is to decide its test. */
export function isLeftToPerson(instance: CampaignInstance): boolean {
  return isTesting(instance) && instance.content.abTest?.sendWinner === 'manual';
}

/** When the test is over: what it was paused does not count. Null where nothing is tested. */
export function testEndsAt({
  content,
  startedAt,
  delayedMs,
}: Pick<CampaignInstance, 'content' | 'startedAt' | 'delayedMs'>): Date | null {
  const { abTest } = content;
  return abTest && new Date(startedAt.getTime() + delayedMs + abTest.durationHours * HOUR);
}

/** When its numbers are to decide: null where they have, where a person does, and while its audience is being taken. */
export function decidesAt(instance: CampaignInstance): Date | null {
  const isByItself = isTesting(instance) && instance.content.abTest?.sendWinner === 'auto';
  return isByItself && instance.isTaken ? testEndsAt(instance) : null;
}

/** The instance once its numbers could not decide: a person has to. */
export function whenUndecided(instance: CampaignInstance): CampaignInstance {
  const { content } = instance;
  return {
    ...instance,
    content: { ...content, abTest: content.abTest && { ...content.abTest, sendWinner: 'manual' } },
  };
}

/** The instance once a variant is decided for: from here on the rest may get it. */
export function whenDecided(
  instance: CampaignInstance,
  { winner, decidedBy }: { readonly winner: number; readonly decidedBy: DecidedBy },
  now: Date,
): CampaignInstance {
  return { ...instance, winner, decidedBy, decidedAt: now, status: 'sending' };
}

/** Whether there may be some who wait for the winner, and have it now. */
export function mayHaveRest({ winner, rest, isTaken }: CampaignInstance): boolean {
  return winner !== null && rest > 0 && isTaken;
}

/**
 * When the first of the rest has its turn, as though there had been no pause: at once, but behind those of the test, so that an
 * hour never sees more than it may.
 */
export function restBegins(instance: CampaignInstance, now: Date): Date {
  const { timing, startedAt, delayedMs, mailed, rest } = instance;
  const behindTest = startedAt.getTime() + turnOf(timing, mailed - rest);
  return new Date(Math.max(now.getTime() - delayedMs, behindTest));
}

/** When the first of a row had its turn, moved by what the sending was paused. */
export function rowBegan(
  { startedAt, restFrom, delayedMs }: Pick<CampaignInstance, 'startedAt' | 'restFrom' | 'delayedMs'>,
  isRest: boolean,
): number {
  return (isRest && restFrom ? restFrom : startedAt).getTime() + delayedMs;
}

/** Until when its test may count something, if no message goes any more; null where it counts nothing. */
export function countedUntil({ content }: Pick<CampaignInstance, 'content'>, now: Date): Date | null {
  const goal = content.abTest?.goal ?? null;
  return goal && new Date(now.getTime() + goal.windowHours * HOUR);
}
