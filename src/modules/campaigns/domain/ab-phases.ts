/** The phases of an A/B test: when it ends, and when the rest of the audience gets the winner. */
import { HOUR } from '../../../kernel/duration.js';
import { matchesAttributes } from '../../../kernel/event-attributes.js';
import { hasContact, type AcceptedEvent } from '../../events/domain/accepted-event.js';
import type { CampaignInstance, DecidedBy } from './instance.js';
import { sendDelayMs } from './send-moment.js';

/** Whether the instance has a test that is not decided yet. */
export function isTesting({ content, winner }: Pick<CampaignInstance, 'content' | 'winner'>): boolean {
  return content.abTest !== null && winner === null;
}

/** Whether a person has to decide the test. */
export function needsManualDecision(instance: CampaignInstance): boolean {
  return isTesting(instance) && instance.content.abTest?.sendWinner === 'manual';
}

/** When the test ends. Time in pause does not count. Null without a test. */
export function testEndsAt({
  content,
  startedAt,
  delayedMs,
}: Pick<CampaignInstance, 'content' | 'startedAt' | 'delayedMs'>): Date | null {
  const { abTest } = content;
  return abTest && new Date(startedAt.getTime() + delayedMs + abTest.durationHours * HOUR);
}

/**
 * When the metrics decide the test; null if they already have, if a person decides, and while the audience is being
 * taken.
 */
export function decidesAt(instance: CampaignInstance): Date | null {
  const isAutomatic = isTesting(instance) && instance.content.abTest?.sendWinner === 'auto';
  return isAutomatic && instance.isTaken ? testEndsAt(instance) : null;
}

/** Returns the instance after its metrics could not decide the test: a person has to. */
export function afterUndecided(instance: CampaignInstance): CampaignInstance {
  const { content } = instance;
  return {
    ...instance,
    content: { ...content, abTest: content.abTest && { ...content.abTest, sendWinner: 'manual' } },
  };
}

/** Returns the instance with a winner; from here on, the rest of the audience may get it. */
export function afterDecision(
  instance: CampaignInstance,
  { winner, decidedBy }: { readonly winner: number; readonly decidedBy: DecidedBy },
  now: Date,
): CampaignInstance {
  return { ...instance, winner, decidedBy, decidedAt: now, status: 'sending' };
}

/** Whether contacts may be waiting for a winner that is now known. */
export function mayHaveRest({ winner, rest, isTaken }: CampaignInstance): boolean {
  return winner !== null && rest > 0 && isTaken;
}

/**
 * When the first contact of the rest may get its message, before pauses are added: immediately, but after the messages
 * of the test, so that `maxPerHour` is never exceeded.
 */
export function restStartsAt(instance: CampaignInstance, now: Date): Date {
  const { timing, startedAt, delayedMs, mailed, rest } = instance;
  const afterTestMs = startedAt.getTime() + sendDelayMs(timing, mailed - rest);
  return new Date(Math.max(now.getTime() - delayedMs, afterTestMs));
}

/** When the first message of a row (the test's or the rest's) was due, moved by the length of the pauses. */
export function sendStartMs(
  { startedAt, restFrom, delayedMs }: Pick<CampaignInstance, 'startedAt' | 'restFrom' | 'delayedMs'>,
  isRest: boolean,
): number {
  return (isRest && restFrom ? restFrom : startedAt).getTime() + delayedMs;
}

/** Until when the test may count events if no further message is sent; null if it counts none. */
export function conversionWindowEnd({ content }: Pick<CampaignInstance, 'content'>, now: Date): Date | null {
  const goal = content.abTest?.goal ?? null;
  return goal && new Date(now.getTime() + goal.windowHours * HOUR);
}

/** A contact's event that the test of an instance may count, with its time. */
interface GoalMatch {
  readonly instanceId: string;
  readonly contactId: string;
  readonly at: Date;
}

/** Matches events to the tests of instances, without checking their time windows. */
export function goalMatches(
  events: readonly AcceptedEvent[],
  instances: readonly CampaignInstance[],
): GoalMatch[] {
  return events.filter(hasContact).flatMap(({ name, attributes, contactId, occurredAt: at }) =>
    instances
      .filter(({ content: { abTest } }) => {
        const goal = abTest?.goal;
        return goal?.eventName === name && matchesAttributes(goal.eventFilters, attributes);
      })
      .map(({ id: instanceId }) => ({ instanceId, contactId, at })),
  );
}
