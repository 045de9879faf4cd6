/** What the product writes in its own name, to members and to those whom a report is for, and how such mail stands. */
import type { Environment } from '../../../kernel/tenant-scope.js';
import type { Role } from '../../../kernel/principal.js';

/** Somebody is asked to join a workspace. */
export interface InvitationNotice {
  readonly kind: 'invitation';
  readonly workspace: string;
  /** Name and email of who invites; null where nobody is known. The name may be empty. */
  readonly inviter: { readonly name: string; readonly email: string } | null;
  readonly role: Role;
  readonly invitationId: string;
}

/** A domain that mail went from has ceased to be verified, or is about to. */
export interface DomainNotice {
  readonly kind: 'domain';
  readonly workspace: string;
  readonly domain: string;
  /** `failing`: its records are not there any more, and mail still goes from it. */
  readonly status: 'failing' | 'unverified';
  /** What is wrong with its records, in a sentence; empty where nothing is known. */
  readonly reason: string;
}

/** Promotional mail has stopped by itself. */
export interface PauseNotice {
  readonly kind: 'pause';
  readonly workspace: string;
  readonly reason: 'high_bounce_rate' | 'high_complaint_rate';
  readonly sent: number;
  readonly bounced: number;
  readonly complained: number;
}

/** Much of what a plan allows is used, or all of it. */
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
  /** ISO 8601: when the present period ends. */
  readonly periodEnd: string;
}

/** A campaign has been paused by no person. */
export interface CampaignNotice {
  readonly kind: 'campaign';
  readonly workspace: string;
  readonly environment: Environment;
  readonly campaign: string;
  readonly reason: 'campaign_incomplete' | 'plan_limit_reached';
  /** What is wrong with it, in a sentence; empty where the reason tells all. */
  readonly detail: string;
}

/** A report that has been asked for by the clock. What it shows is kept apart, once for all whom it goes to. */
export interface ReportNotice {
  readonly kind: 'report';
  readonly environment: Environment;
  readonly letterId: string;
  /** Of whom it goes to; null where nobody has said. */
  readonly name: string | null;
}

/** A report is not mailed any more, since it cannot be run as it is. */
export interface ReportStoppedNotice {
  readonly kind: 'report_stopped';
  readonly workspace: string;
  readonly report: string;
  /** What is wrong with it, in a sentence. */
  readonly detail: string;
}

/** Somebody who is not a member is to get a report by mail, and is asked first. */
export interface ReportConfirmationNotice {
  readonly kind: 'report_confirmation';
  readonly workspace: string;
  readonly report: string;
  /** The signed link that confirms. */
  readonly url: string;
}

/** A recipient of a report gets it no more. */
export interface ReportRecipientNotice {
  readonly kind: 'report_recipient';
  readonly workspace: string;
  readonly report: string;
  readonly address: string;
  readonly status: 'bounced' | 'complained';
}

/** What is said by notice-words. */
export type WordedNotice =
  | InvitationNotice
  | DomainNotice
  | PauseNotice
  | UsageNotice
  | CampaignNotice
  | ReportStoppedNotice
  | ReportConfirmationNotice
  | ReportRecipientNotice;
export type Notice = WordedNotice | ReportNotice;

/** `withdrawn`: there was no reason for it any more before it went out. `set_aside`: a person looks into it. */
export const NOTICE_STATUSES = ['queued', 'sending', 'sent', 'failed', 'withdrawn', 'set_aside'] as const;
export type NoticeStatus = (typeof NOTICE_STATUSES)[number];

/** A mail that is wanted. */
export interface NewNotice {
  /** Names what there is one mail for in the workspace; a second one of the same is not stored. */
  readonly purpose: string;
  /** The record that it is about. */
  readonly subjectId: string;
  readonly to: string;
  readonly notice: Notice;
  /** The earliest moment at which it goes; at once where it is left out. */
  readonly dueAt?: Date;
}

/** A mail in hand. */
export interface ClaimedNotice {
  readonly id: string;
  readonly to: string;
  readonly notice: Notice;
  /** Attempts, this one included. */
  readonly attempts: number;
  /** How often it may have left already without its being known. */
  readonly reissues: number;
  /** Since when it might go. */
  readonly triedSince: Date;
}
