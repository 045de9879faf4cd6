/** Mail from the product itself, to members and recipients of reports, and the states of such mail. */
import type { Environment } from '../../../kernel/tenant-scope.js';
import type { Role } from '../../../kernel/principal.js';

/** An invitation to a workspace. */
export interface InvitationNotice {
  readonly kind: 'invitation';
  readonly workspace: string;
  /** Name and email of the inviter; null if not known. The name may be empty. */
  readonly inviter: { readonly name: string; readonly email: string } | null;
  readonly role: Role;
  readonly invitationId: string;
}

/** A domain that mail was sent from is no longer verified, or soon will not be. */
export interface DomainNotice {
  readonly kind: 'domain';
  readonly workspace: string;
  readonly domain: string;
  /** `failing`: its records are missing, and mail is still sent from it. */
  readonly status: 'failing' | 'unverified';
  /** What is wrong with its records, as a sentence; empty if it is not known. */
  readonly reason: string;
}

/** Promotional mail was paused automatically. */
export interface PauseNotice {
  readonly kind: 'pause';
  readonly workspace: string;
  readonly reason: 'high_bounce_rate' | 'high_complaint_rate';
  readonly sent: number;
  readonly bounced: number;
  readonly complained: number;
}

/** A plan limit is nearly or fully used. */
export interface UsageNotice {
  readonly kind: 'usage';
  readonly workspace: string;
  readonly environment: Environment;
  readonly limitType: 'emails' | 'events' | 'contacts';
  readonly plan: string;
  readonly current: number;
  readonly maximum: number;
  /** Percent. */
  readonly threshold: 80 | 100;
  /** ISO 8601: the end of the current period. */
  readonly periodEnd: string;
}

/** A campaign was paused automatically. */
export interface CampaignNotice {
  readonly kind: 'campaign';
  readonly workspace: string;
  readonly environment: Environment;
  readonly campaign: string;
  readonly reason: 'campaign_incomplete' | 'plan_limit_reached';
  /** What is wrong with it, as a sentence; empty if the reason says everything. */
  readonly detail: string;
}

/** A scheduled report. Its content is stored separately, once for all recipients. */
export interface ReportNotice {
  readonly kind: 'report';
  readonly environment: Environment;
  readonly letterId: string;
  /** Name of the recipient; null if not known. */
  readonly name: string | null;
}

/** A report is no longer mailed, because it cannot run as it is. */
export interface ReportStoppedNotice {
  readonly kind: 'report_stopped';
  readonly workspace: string;
  readonly report: string;
  /** What is wrong with it, as a sentence. */
  readonly detail: string;
}

/** Asks a person who is not a member to confirm that they want a report by mail. */
export interface ReportConfirmationNotice {
  readonly kind: 'report_confirmation';
  readonly workspace: string;
  readonly report: string;
  /** The signed confirmation link. */
  readonly url: string;
}

/** A recipient was removed from a report. */
export interface ReportRecipientNotice {
  readonly kind: 'report_recipient';
  readonly workspace: string;
  readonly report: string;
  readonly address: string;
  readonly status: 'bounced' | 'complained';
}

/** Notices whose text is in notice-words. */
export type TextNotice =
  | InvitationNotice
  | DomainNotice
  | PauseNotice
  | UsageNotice
  | CampaignNotice
  | ReportStoppedNotice
  | ReportConfirmationNotice
  | ReportRecipientNotice;
export type Notice = TextNotice | ReportNotice;

/** `withdrawn`: the reason was gone before it was sent. `set_aside`: a dead letter that waits for a person. */
export const NOTICE_STATUSES = ['queued', 'sending', 'sent', 'failed', 'withdrawn', 'set_aside'] as const;
export type NoticeStatus = (typeof NOTICE_STATUSES)[number];

/** A mail to be queued. */
export interface NewNotice {
  /** Identifies the mail within the workspace. A second one with the same purpose is not stored. */
  readonly purpose: string;
  /** The record that the mail is about. */
  readonly subjectId: string;
  readonly to: string;
  readonly notice: Notice;
  /** The earliest time at which it is sent; immediately if absent. */
  readonly dueAt?: Date;
}

/** A claimed mail. */
export interface ClaimedNotice {
  readonly id: string;
  readonly to: string;
  readonly notice: Notice;
  /** Attempts, including this one. */
  readonly attempts: number;
  /** How often it may have left with an unknown outcome. */
  readonly reissues: number;
  /** Since when it could go. */
  readonly triedSince: Date;
}
