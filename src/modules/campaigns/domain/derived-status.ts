/** Derives the status of a campaign from the status of its instances. */
import { isTesting } from './ab-phases.js';
import type { Campaign } from './campaign.js';
import type { CampaignInstance } from './instance.js';
import { nextInstance } from './recurrence.js';

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
