/** What becomes of a campaign that is made, changed or copied, sections 2.9 and 3.3. */
import { lengthOf } from '../../../kernel/text-length.js';
import { LONGEST_NAME } from './campaign-bounds.js';
import { assertMove } from './invalid-status.js';
import type { Campaign, CampaignContent, CampaignTiming } from './campaign.js';

/** What is to be changed of a campaign: what is left out stays, null takes it away. */
export type CampaignChange = Partial<CampaignContent>;

/** Who makes a campaign, and when. */
export interface Making {
  readonly id: string;
  readonly createdBy: string;
  readonly now: Date;
}

/** Nothing is planned. */
const NO_TIMING: CampaignTiming = {
  scheduledAt: null,
  scheduledOffset: null,
  localTime: false,
  maxPerHour: null,
  recurrence: null,
  nextRunAt: null,
};

/** A draft of that content. */
export function newCampaign(content: CampaignContent, { id, createdBy, now }: Making): Campaign {
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
 * The draft with what the change speaks of.
 * @throws DomainError invalid_status for a campaign that is no draft any more.
 */
export function changedCampaign(campaign: Campaign, change: CampaignChange, now: Date): Campaign {
  assertMove('update', campaign);
  return { ...campaign, ...change, updatedAt: now };
}

/** A draft with what another campaign of any status says, without its schedule, and a name that tells it from that. */
export function copyOfCampaign(campaign: Campaign, making: Making): Campaign {
  const { subject, templateId, segmentId, senderName, senderEmail, replyTo, abTest } = campaign;
  const content = { subject, templateId, segmentId, senderName, senderEmail, replyTo, abTest };
  return newCampaign({ ...content, name: nameOfCopy(campaign.name) }, making);
}

const COPY = ' (Copy)';

/** The name with ` (Copy)` appended; where that would be too long, the name's end makes room for it. */
function nameOfCopy(name: string): string {
  return lengthOf(name + COPY) <= LONGEST_NAME
    ? name + COPY
    : [...name].slice(0, LONGEST_NAME - COPY.length).join('') + COPY;
}
