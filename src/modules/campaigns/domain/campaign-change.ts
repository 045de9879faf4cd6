/** Creates, changes and copies campaigns, sections 2.9 and 3.3. */
import { lengthOf } from '../../../kernel/text-length.js';
import { LONGEST_NAME, type Campaign, type CampaignContent, type CampaignTiming } from './campaign.js';
import { assertMove } from './campaign-status.js';

/** Changes to a campaign: an absent field stays as it is, null clears it. */
export type CampaignChange = Partial<CampaignContent>;

/** The id, author and time of a new campaign. */
export interface CampaignCreation {
  readonly id: string;
  readonly createdBy: string;
  readonly now: Date;
}

/** Nothing is scheduled. */
const NO_TIMING: CampaignTiming = {
  scheduledAt: null,
  scheduledOffset: null,
  localTime: false,
  maxPerHour: null,
  recurrence: null,
  nextRunAt: null,
};

/** Creates a draft with the given content. */
export function newCampaign(content: CampaignContent, { id, createdBy, now }: CampaignCreation): Campaign {
  return {
    ...content,
    ...NO_TIMING,
    id,
    status: 'draft',
    pausedReason: null,
    startedAt: null,
    completedAt: null,
    audienceSize: null,
    runs: 0,
    createdBy,
    createdAt: now,
    updatedAt: now,
    lookAt: null,
  };
}

/**
 * Returns the draft with the change applied.
 * @throws DomainError invalid_status for a campaign that is no longer a draft.
 */
export function changedCampaign(campaign: Campaign, change: CampaignChange, now: Date): Campaign {
  assertMove('update', campaign);
  return { ...campaign, ...change, updatedAt: now };
}

/** Copies the content of a campaign of any status into a draft, without its schedule and under a distinct name. */
export function copyOfCampaign(campaign: Campaign, creation: CampaignCreation): Campaign {
  const { subject, templateId, segmentId, senderName, senderEmail, replyTo, abTest } = campaign;
  const content = { subject, templateId, segmentId, senderName, senderEmail, replyTo, abTest };
  return newCampaign({ ...content, name: nameOfCopy(campaign.name) }, creation);
}

const COPY = ' (Copy)';

/** The name with ` (Copy)` appended; if that would be too long, the name is shortened. */
function nameOfCopy(name: string): string {
  return lengthOf(name + COPY) <= LONGEST_NAME
    ? name + COPY
    : [...name].slice(0, LONGEST_NAME - COPY.length).join('') + COPY;
}
