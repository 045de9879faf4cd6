/** How a pause, a resumption, a cancellation and the last message change an instance. */
import { conversionWindowEnd, isTesting } from './ab-phases.js';
import type { CampaignInstance } from './instance.js';

/** Pauses the instance: all of its waiting messages are held from now on. */
export function afterPause(instance: CampaignInstance, now: Date): CampaignInstance {
  return {
    ...instance,
    status: 'paused',
    pausedAt: instance.pausedAt ?? now,
    ...{ sweep: 'hold', sweepAfter: null },
  };
}

/** Resumes the instance. If its messages are spread over hours, each moves later by the length of the pause. */
export function afterResume(instance: CampaignInstance, now: Date): CampaignInstance {
  const paused = instance.pausedAt === null ? 0 : now.getTime() - instance.pausedAt.getTime();
  return {
    ...instance,
    status: isTesting(instance) ? 'ab_testing' : 'resumed',
    delayedMs: instance.delayedMs + Math.max(0, paused),
    ...{ pausedAt: null, sweep: 'release', sweepAfter: null },
  };
}

/** Cancels the waiting messages; the audience is what was taken so far. */
export function afterCancel(instance: CampaignInstance, now: Date): CampaignInstance {
  return {
    ...instance,
    ...{ status: 'cancelled', completedAt: now, pausedAt: null, isTaken: true },
    goalUntil: conversionWindowEnd(instance, now),
    ...{ sweep: 'cancel', sweepAfter: null },
  };
}

/** Completes the instance: each of its messages has a final status. */
export function afterCompletion(instance: CampaignInstance, now: Date): CampaignInstance {
  return { ...instance, status: 'sent', completedAt: now, goalUntil: conversionWindowEnd(instance, now) };
}
