/** A job's progress in its source and its results so far; stored in the same transaction as the results. */
import type { JsonObject } from '../../../kernel/json.js';
import type { Cursor } from './import-source.js';
import type { ImportConfig, ImportJob } from './import-job.js';
import type { Platform } from './platform.js';

/** Where the work continues. */
export interface Checkpoint {
  /** Null for the beginning. */
  readonly at: Cursor | null;
  /** Whether everything has been read. */
  readonly isRead: boolean;
  /** Contacts that the job created or restored, and that count against the plan. */
  readonly came: number;
  /** Whether the source has listed addresses that it does not write to. */
  readonly hasSuppressions: boolean;
  /**
   * Digest of the credentials with which the cursor was reached, since a cursor is only valid for one account. Null
   * for files, and before the first page.
   */
  readonly account: string | null;
}

export const START_CHECKPOINT: Checkpoint = {
  at: null,
  isRead: false,
  came: 0,
  hasSuppressions: false,
  account: null,
};

/** A job's progress and results. */
export interface ImportState {
  readonly imported: number;
  readonly failed: number;
  readonly total: number | null;
  readonly percentComplete: number;
  readonly createdContacts: number;
  readonly updatedContacts: number;
  readonly unsubscribed: number;
  readonly suppressed: number;
  readonly mistyped: number;
  readonly errorsKept: number;
  /** Number of stored rows; only a dry run has any. */
  readonly rowsKept: number;
}

/** A job that a process has claimed. */
export interface ClaimedImport {
  readonly id: string;
  readonly platform: Platform;
  readonly config: ImportConfig;
  /** The sealed credentials; null for a file. */
  readonly credentials: string | null;
  readonly fileId: string | null;
  readonly dryRun: boolean;
  readonly plan: string;
  readonly checkpoint: Checkpoint;
  readonly standing: ImportState;
  readonly createdBy: string;
  /** Presence number of the process. */
  readonly worker: number;
  /** Including this one. */
  readonly attempts: number;
}

/** The checkpoint that is stored with a job. */
export function readCheckpoint(stored: JsonObject | null): Checkpoint {
  if (stored === null) return START_CHECKPOINT;
  const { at, is_read: isRead, came, has_suppressions: hasSuppressions, account } = stored;
  return {
    at: (at ?? null) as Cursor | null,
    isRead: isRead === true,
    came: typeof came === 'number' ? came : 0,
    hasSuppressions: hasSuppressions === true,
    account: typeof account === 'string' ? account : null,
  };
}

export function storedCheckpoint({ at, isRead, came, hasSuppressions, account }: Checkpoint): JsonObject {
  return { at, is_read: isRead, came, has_suppressions: hasSuppressions, account };
}

/**
 * The checkpoint from which to continue with the given credentials. Other credentials than those with which it was
 * reached start at the beginning, since they may belong to another account. Contacts that the job has already
 * imported are merged again, and count once.
 * @param accounts digests of the credentials, the first being the one to store; none for a file.
 */
export function checkpointForAccounts(checkpoint: Checkpoint, accounts: readonly string[]): Checkpoint {
  const [account = null] = accounts;
  const isOther = checkpoint.account !== null && !accounts.includes(checkpoint.account);
  return { ...checkpoint, account, ...(isOther ? { at: null, isRead: false } : {}) };
}

/** What a source has reported about its size. */
export interface ReportedSize {
  readonly total?: number | undefined;
  readonly share?: number | undefined;
}

/** Maximum percentage of a job that is not completed. */
const MAX_UNFINISHED_PERCENT = 99.9;

/** A job's progress after more records were done. The percentage never falls, and reaches 100 only at the end. */
export function advanceProgress(
  { total: knownTotal, percentComplete: before }: ImportState,
  done: number,
  { total: reportedTotal, share }: ReportedSize,
): Pick<ImportState, 'total' | 'percentComplete'> {
  const latestTotal = reportedTotal ?? knownTotal;
  const total = latestTotal === null ? null : Math.max(latestTotal, done);
  const doneShare = share ?? (total === null || total === 0 ? 0 : done / total);
  const percent = Math.floor(Math.min(Math.max(doneShare, 0), 1) * 1_000) / 10;
  return { total, percentComplete: Math.max(before, Math.min(percent, MAX_UNFINISHED_PERCENT)) };
}

/**
 * The total number of records, as far as known: what the source reports, otherwise an estimate from the share that is
 * done, and never less than what is done. 0 while nothing is known. For a completed job, the number done; for a
 * failed or cancelled one, still the number there was to do.
 */
export function totalOf({ status, progress }: Pick<ImportJob, 'status' | 'progress'>): number {
  const { imported, failed, total, percentComplete } = progress;
  const done = imported + failed;
  if (status === 'completed') return done;
  if (total !== null) return Math.max(total, done);
  return percentComplete > 0 ? Math.max(done, Math.round((done * 100) / percentComplete)) : done;
}
