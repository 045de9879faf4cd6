/** How calls and the last message change an instance, and how the status of a campaign follows from its instances. */
import { conversionWindowEnd, isTesting } from './ab-phases.js';
import type { CampaignInstance } from './instance.js';
import type { Campaign } from './campaign.js';
import { nextInstance } from './recurrence.js';

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

/**
 * Returns the campaign with the status of its only instance: `ab_testing` while that tests, also after a pause during
 * the test, and `sending` from the decision on. A recurring campaign keeps its own status.
 */
export function withInstanceStatus(
  campaign: Campaign,
  instance: Pick<CampaignInstance, 'content' | 'winner'>,
): Campaign {
  const { status, recurrence } = campaign;
  if (recurrence !== null) return campaign;
  if (status === 'resumed' && isTesting(instance)) return { ...campaign, status: 'ab_testing' };
  if (status === 'ab_testing' && !isTesting(instance)) return { ...campaign, status: 'sending' };
  return campaign;
}

/** Returns the campaign after all started instances are complete; a stopped recurrence may resume at its next date. */
export function afterLastInstance(campaign: Campaign, now: Date): Campaign {
  const { recurrence, runs } = campaign;
  const isStopped = recurrence !== null && nextInstance(recurrence, now, runs) !== null;
  const status = isStopped ? 'stopped' : 'sent';
  if (campaign.status === status) return { ...campaign, lookAt: null };
  return { ...campaign, status, completedAt: isStopped ? null : now, lookAt: null, updatedAt: now };
}
