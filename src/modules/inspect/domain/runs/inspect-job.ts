/** A run of quality analysis (section 4.7), as it is requested, claimed and shown. */
import { encodeCursor, KEY, decodeCursor, type PageCursor } from '../../../../kernel/page-cursor.js';
import type { Environment } from '../../../../kernel/tenant-scope.js';
import type { InspectedContent } from '../analysis/analysis.js';
import type { CheckRecord } from './check.js';
import type { FindingSummary } from '../findings/finding-summary.js';

export const INSPECT_CHANNELS = ['email', 'push', 'in_app'] as const;
export type InspectChannel = (typeof INSPECT_CHANNELS)[number];

/** `quick`: analysis, spam, links and images, free of charge. `full`: also renderings in email clients. */
export const INSPECT_MODES = ['full', 'quick'] as const;
export type InspectMode = (typeof INSPECT_MODES)[number];

/** What started it: a member's request, a saved template, or the gate that found a version never inspected. */
export type InspectTrigger = 'request' | 'save' | 'gate';

export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** A run as it is shown. */
export interface InspectJob {
  readonly id: string;
  readonly templateId: string;
  readonly templateSlug: string;
  readonly templateVersion: number;
  readonly channel: InspectChannel;
  readonly mode: InspectMode;
  readonly trigger: InspectTrigger;
  /** Whether the caller gave a subject, in place of the template's own. */
  readonly subjectGiven: boolean;
  readonly status: JobStatus;
  /** Per cent. */
  readonly progress: number;
  /** 0 to 100; null until the run has completed, as are the fields that follow. */
  readonly score: number | null;
  readonly canSend: boolean | null;
  readonly summary: FindingSummary | null;
  readonly checks: readonly CheckRecord[];
  readonly creditsCharged: number;
  /** Why it failed; null otherwise. */
  readonly error: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

/** A run to be stored and made. */
export interface NewInspectJob {
  readonly id: string;
  readonly environment: Environment;
  readonly templateId: string;
  readonly templateSlug: string;
  readonly templateVersion: number;
  readonly content: InspectedContent;
  readonly channel: InspectChannel;
  readonly mode: InspectMode;
  readonly trigger: InspectTrigger;
  readonly subjectGiven: boolean;
  readonly preheader: string | null;
  /** The contact whose data the message is rendered with; null for sample values. */
  readonly contactId: string | null;
  readonly creditsCharged: number;
  readonly requestedBy: string;
}

/** A run that a process has claimed. */
export interface ClaimedJob extends Omit<NewInspectJob, 'requestedBy'> {
  /** The presence number of the process. */
  readonly worker: number;
  /** Including this attempt. */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** The result of a run. */
export interface JobResult {
  readonly score: number;
  readonly canSend: boolean;
  readonly summary: FindingSummary;
  readonly checks: readonly CheckRecord[];
}

/** A request for a run. */
export interface RunRequest {
  readonly templateSlug: string;
  readonly channel: InspectChannel;
  readonly mode: InspectMode;
  /** Replaces the template's own; only used for email. */
  readonly subject: string | null;
  readonly preheader: string | null;
  /** Record id or external_id of the contact whose data the message is rendered with; null for sample values. */
  readonly contactId: string | null;
}

const LIST = 'inspect_jobs';

export function jobCursor({ createdAt, id }: Pick<InspectJob, 'createdAt' | 'id'>): string {
  return encodeCursor(LIST, { key: createdAt.toISOString(), id });
}

/** @throws DomainError invalid_field for an invalid cursor. */
export function parseJobCursor(cursor: string | undefined): PageCursor | null {
  return decodeCursor(LIST, cursor, KEY.moment);
}
