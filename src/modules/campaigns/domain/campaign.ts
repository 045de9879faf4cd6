/** A campaign: one email to all contacts of a segment, sections 2.9 and 3.3. */
import type { AbTest } from './ab-test.js';
import type { CampaignStatus } from './campaign-status.js';
import type { Recurrence } from './recurrence.js';

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
