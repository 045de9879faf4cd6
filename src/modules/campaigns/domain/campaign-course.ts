/** How a campaign stands beside what it sends. */
import { isTesting } from './ab-course.js';
import type { Campaign } from './campaign.js';
import type { CampaignInstance } from './instance.js';
import { nextInstance } from './recurrence.js';

/**
 * The campaign that stands as its only instance does: it tests while that does, also once it was stopped in its test and taken up
 * again, and sends from the decision on. A recurring one stands by itself.
 */
export function besideInstance(
  campaign: Campaign,
  instance: Pick<CampaignInstance, 'content' | 'winner'>,
): Campaign {
  const { status, recurrence } = campaign;
  if (recurrence !== null) return campaign;
  if (status === 'resumed' && isTesting(instance)) return { ...campaign, status: 'ab_testing' };
  if (status === 'ab_testing' && !isTesting(instance)) return { ...campaign, status: 'sending' };
  return campaign;
}

/** The campaign once all that it has begun is over: one that was stopped may go on with its next date. */
export function whenOver(campaign: Campaign, now: Date): Campaign {
  const { recurrence, runs } = campaign;
  const isStopped = recurrence !== null && nextInstance(recurrence, now, runs) !== null;
  const status = isStopped ? 'stopped' : 'sent';
  if (campaign.status === status) return { ...campaign, lookAt: null };
  return { ...campaign, status, completedAt: isStopped ? null : now, lookAt: null, updatedAt: now };
}
