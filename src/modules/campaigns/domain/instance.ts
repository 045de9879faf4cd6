/** An instance is one sending of a campaign: what is sent, when, and its progress. */
import type { AbTest } from './ab-test.js';
import type { CampaignStatus } from './campaign-status.js';

/** The content of one variant's messages, frozen when the sending started. */
export interface FrozenVariant {
  /** Null if the campaign has no test. */
  readonly name: string | null;
  readonly frozenTemplateId: string;
  readonly templateId: string;
  readonly templateSlug: string;
  readonly subject: string | null;
  readonly sender: FrozenSender;
}

/** The sender; absent fields come from the workspace. */
export interface FrozenSender {
  readonly fromName?: string;
  readonly fromEmail?: string;
  readonly replyTo?: string;
}

export interface InstanceContent {
  readonly segmentId: string;
  readonly variants: readonly FrozenVariant[];
  readonly abTest: AbTest | null;
}

export interface InstanceTiming {
  readonly maxPerHour: number | null;
  /**
   * The local time at which each contact gets the message, in ISO 8601 without an offset; null if all get it at the
   * same moment.
   */
  readonly wallClock: string | null;
  /** The UTC offset in minutes for contacts without a zone. */
  readonly offset: number;
}

/** Whether the metrics or a person decided the test. */
export type DecidedBy = 'automatic' | 'manual';

/** Pending updates of all waiting messages of an instance. */
export const SWEEPS = ['hold', 'release', 'cancel'] as const;
export type Sweep = (typeof SWEEPS)[number];

/** A progress reading, and the rate at that time. */
export interface PaceReading {
  readonly pacedAt: Date | null;
  /** Messages with a final status at that time. */
  readonly paced: number;
  /** Messages per minute that reached a final status, at the last reading; null before. */
  readonly perMinute: number | null;
}

export interface CampaignInstance extends PaceReading {
  readonly id: string;
  readonly campaignId: string;
  /** Counts from 1. */
  readonly number: number;
  readonly status: CampaignStatus;
  readonly scheduledAt: Date | null;
  readonly startedAt: Date;
  readonly completedAt: Date | null;
  readonly content: InstanceContent;
  readonly timing: InstanceTiming;
  /** The last contact that has been processed. */
  readonly takenTo: string | null;
  readonly isTaken: boolean;
  /** Contacts of the segment, as far as they have been taken. */
  readonly audience: number;
  /** Contacts of the audience that get no message. */
  readonly skipped: number;
  /** Contacts of the audience that have a message or will have one. */
  readonly mailed: number;
  /** Contacts among `mailed` that wait for the winner of a test, or have got it. */
  readonly rest: number;
  /** The total length of its pauses in milliseconds. */
  readonly delayedMs: number;
  readonly pausedAt: Date | null;
  readonly sweep: Sweep | null;
  /** The sweep's cursor: the last contact processed. */
  readonly sweepAfter: string | null;
  /** The index of the winning variant; null before the decision, and without a test. */
  readonly winner: number | null;
  readonly decidedBy: DecidedBy | null;
  readonly decidedAt: Date | null;
  /** When the rest began to get the winner, before pauses are added; null before. */
  readonly restFrom: Date | null;
  /** The event that a test counts; null if it counts none. */
  readonly goalEvent: string | null;
  /** The end of the conversion window; null while that is open. */
  readonly goalUntil: Date | null;
}
