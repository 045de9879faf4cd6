/** A campaign: one email to all contacts of a segment, sections 2.9 and 3.3. */
import type { AbTest } from './ab-test.js';
import type { CampaignStatus } from './campaign-status.js';
import type { Recurrence } from './recurrence.js';
import type { FrozenSender } from './instance.js';

/** Limits of the fields of a campaign, sections 2.9 and 8.3. Lengths are in characters. */
export const LONGEST_NAME = 255;
export const LONGEST_SUBJECT = 255;

/** What the author sets; unset fields are null. */
export interface CampaignContent {
  /** 1 to 255 characters. */
  readonly name: string;
  readonly subject: string | null;
  readonly templateId: string | null;
  readonly segmentId: string | null;
  readonly senderName: string | null;
  readonly senderEmail: string | null;
  readonly replyTo: string | null;
  readonly abTest: AbTest | null;
}

/** When and how fast the campaign is sent. */
export interface CampaignTiming {
  readonly scheduledAt: Date | null;
  /** The UTC offset of `scheduledAt` in minutes, as the caller wrote it; null if nothing is scheduled. */
  readonly scheduledOffset: number | null;
  /** Whether each contact gets the message at this local time in its own zone. */
  readonly localTime: boolean;
  readonly maxPerHour: number | null;
  readonly recurrence: Recurrence | null;
  /** When the next instance of a recurring campaign starts. */
  readonly nextRunAt: Date | null;
}

export interface Campaign extends CampaignContent, CampaignTiming {
  readonly id: string;
  readonly status: CampaignStatus;
  /** Null if a person has paused it, and if it is not paused. */
  readonly pausedReason: PausedReason | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  /**
   * Contacts of the segment when sending started; null before. For a recurring campaign, those of its latest instance.
   */
  readonly audienceSize: number | null;
  /** The number of instances so far. */
  readonly runs: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When a worker checks the campaign next; null while there is nothing to do. */
  readonly lookAt: Date | null;
}

/** Why the system has paused a campaign. */
export const PAUSED_REASONS = [
  'plan_limit_reached',
  'workspace_suspended',
  'campaign_incomplete',
  'high_bounce_rate',
  'high_complaint_rate',
] as const;
export type PausedReason = (typeof PAUSED_REASONS)[number];

/** How fast, and in which time zone. */
export interface RequestedPace {
  readonly localTime: boolean;
  readonly maxPerHour: number | null;
}

export interface RequestedSchedule extends RequestedPace {
  readonly scheduledAt: Date;
  /** The caller's UTC offset in minutes. */
  readonly scheduledOffset: number;
}

/**
 * The emails that a campaign sends: one, or the variants of its test. A variant inherits from the campaign what it does
 * not set.
 */
interface CampaignVariant {
  /** Null if the campaign has no test. */
  readonly name: string | null;
  readonly templateId: string | null;
  readonly subject: string | null;
  /** Absent fields come from the workspace. */
  readonly sender: FrozenSender;
}

export function variantsOf(campaign: Campaign): CampaignVariant[] {
  const { templateId, subject, senderName, abTest } = campaign;
  const ofAll = { name: null, templateId, subject, sender: senderOf(campaign, senderName) };
  if (abTest === null) return [ofAll];
  return abTest.variants.map((variant) => ({
    name: variant.name,
    templateId: variant.templateId ?? templateId,
    subject: variant.subject ?? subject,
    sender: senderOf(campaign, variant.senderName ?? senderName),
  }));
}

function senderOf({ senderEmail, replyTo }: Campaign, name: string | null): FrozenSender {
  return {
    ...(name === null ? {} : { fromName: name }),
    ...(senderEmail === null ? {} : { fromEmail: senderEmail }),
    ...(replyTo === null ? {} : { replyTo }),
  };
}
