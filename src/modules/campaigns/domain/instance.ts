/** One sending of a campaign: what is sent, when, and how far it is. */
import type { AbTest } from './ab-test.js';
import type { CampaignStatus } from './campaign-status.js';

/** What one variant's messages are made of, as it was when the sending began. */
export interface FrozenVariant {
  /** Null where the campaign tests no variants. */
  readonly name: string | null;
  readonly frozenTemplateId: string;
  readonly templateId: string;
  readonly templateSlug: string;
  readonly subject: string | null;
  readonly sender: FrozenSender;
}

/** Whom it is from; what is absent is the workspace's. */
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
  /** The wall clock that each contact's zone is to show; null where all get it at once. In ISO 8601 without an offset. */
  readonly wallClock: string | null;
  /** Minutes that contacts without a zone are ahead of UTC. */
  readonly offset: number;
}

/** Who has decided a test of variants: its numbers, or a person. */
export type DecidedBy = 'automatic' | 'manual';

/** What is to be done to all messages of an instance that wait. */
export const SWEEPS = ['hold', 'release', 'cancel'] as const;
export type Sweep = (typeof SWEEPS)[number];

/** How far a sending was at a moment, and how fast it had come there. */
export interface Pace {
  readonly pacedAt: Date | null;
  /** Messages that had come to their end by then. */
  readonly paced: number;
  /** Messages that come to their end in a minute, as last seen; null before. */
  readonly perMinute: number | null;
}

export interface CampaignInstance extends Pace {
  readonly id: string;
  readonly campaignId: string;
  /** From 1. */
  readonly number: number;
  readonly status: CampaignStatus;
  readonly scheduledAt: Date | null;
  readonly startedAt: Date;
  readonly completedAt: Date | null;
  readonly content: InstanceContent;
  readonly timing: InstanceTiming;
  /** The last contact that was asked about. */
  readonly takenTo: string | null;
  readonly isTaken: boolean;
  /** Contacts of the segment, as far as they are taken. */
  readonly audience: number;
  /** Those of them that get no message. */
  readonly skipped: number;
  /** Those that have a message, or will have one. */
  readonly mailed: number;
  /** Those of them that wait for the winner of a test, or have got it. */
  readonly rest: number;
  /** Milliseconds that it was paused. */
  readonly delayedMs: number;
  readonly pausedAt: Date | null;
  readonly sweep: Sweep | null;
  /** How far the sweep is: the last contact. */
  readonly sweepAfter: string | null;
  /** The index of the variant that a test has decided for; null before, and where nothing is tested. */
  readonly winner: number | null;
  readonly decidedBy: DecidedBy | null;
  readonly decidedAt: Date | null;
  /** When the rest began to get the winner, as though there had been no pause; null before. */
  readonly restFrom: Date | null;
  /** The event that a test counts; null where it counts none. */
  readonly goalEvent: string | null;
  /** After when none counts any more; null while that is open. */
  readonly goalUntil: Date | null;
}
