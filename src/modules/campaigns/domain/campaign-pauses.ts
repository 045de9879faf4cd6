/** What a pause, its end, a cancellation and the last message mean for a sending that is under way. */
import { countedUntil, isTesting } from './ab-course.js';
import type { CampaignInstance } from './instance.js';

/** All of its messages that wait are held from now on. */
export function afterPause(instance: CampaignInstance, now: Date): CampaignInstance {
  return {
    ...instance,
    status: 'paused',
    pausedAt: instance.pausedAt ?? now,
    ...{ sweep: 'hold', sweepAfter: null },
  };
}

/** What was held goes on, each message as much later as the pause was long where they are spread over hours. */
export function afterResume(instance: CampaignInstance, now: Date): CampaignInstance {
  const paused = instance.pausedAt === null ? 0 : now.getTime() - instance.pausedAt.getTime();
  return {
    ...instance,
    status: isTesting(instance) ? 'ab_testing' : 'resumed',
    delayedMs: instance.delayedMs + Math.max(0, paused),
    ...{ pausedAt: null, sweep: 'release', sweepAfter: null },
  };
}

/** What waits is called off; its audience is what was taken until now. */
export function whenCancelled(instance: CampaignInstance, now: Date): CampaignInstance {
  return {
    ...instance,
    ...{ status: 'cancelled', completedAt: now, pausedAt: null, isTaken: true },
    goalUntil: countedUntil(instance, now),
    ...{ sweep: 'cancel', sweepAfter: null },
  };
}

/** Each of its messages has come to its end. */
export function whenSent(instance: CampaignInstance, now: Date): CampaignInstance {
  return { ...instance, status: 'sent', completedAt: now, goalUntil: countedUntil(instance, now) };
}
