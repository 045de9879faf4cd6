/** A campaign: one email to all contacts of a segment, sections 2.9 and 3.3. */
import type { AbTest } from './ab-test.js';
import type { CampaignStatus } from './campaign-status.js';
import type { Recurrence } from './recurrence.js';

/** What its maker says of it; what is not said is null. */
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

/** When and how fast it is sent. */
export interface CampaignTiming {
  readonly scheduledAt: Date | null;
  /** Minutes that the wall clock of `scheduledAt` is ahead of UTC, as its caller wrote it; null where nothing is scheduled. */
  readonly scheduledOffset: number | null;
  /** Whether each contact gets it at the wall clock of its own zone. */
  readonly localTime: boolean;
  readonly maxPerHour: number | null;
  readonly recurrence: Recurrence | null;
  /** When the next instance of a recurring one begins. */
  readonly nextRunAt: Date | null;
}

export interface Campaign extends CampaignContent, CampaignTiming {
  readonly id: string;
  readonly status: CampaignStatus;
  /** Null where a person has paused it, and where nothing has. */
  readonly pausedReason: PausedReason | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  /** Contacts of the segment when sending began; null before. Of a recurring one those of its last instance. */
  readonly audienceSize: number | null;
  /** Instances that there are. */
  readonly runs: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When a worker is to look at it next; null while nothing is to be done. */
  readonly lookAt: Date | null;
}

/** What has paused a campaign that no person did. */
export const PAUSED_REASONS = [
  'plan_limit_reached',
  'workspace_suspended',
  'campaign_incomplete',
  'high_bounce_rate',
  'high_complaint_rate',
] as const;
export type PausedReason = (typeof PAUSED_REASONS)[number];
