/** What a pause, its end and a cancellation mean for a sending that is under way. */
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
    status: 'resumed',
    delayedMs: instance.delayedMs + Math.max(0, paused),
    ...{ pausedAt: null, sweep: 'release', sweepAfter: null },
  };
}

/** What waits is called off; its audience is what was taken until now. */
export function whenCancelled(instance: CampaignInstance, now: Date): CampaignInstance {
  return {
    ...instance,
    ...{ status: 'cancelled', completedAt: now, pausedAt: null, isTaken: true },
    ...{ sweep: 'cancel', sweepAfter: null },
  };
}
