/** How far a job is, in what it reads and in what came of it; stored with what it says, in one transaction. */
import type { JsonObject } from '../../../kernel/json.js';
import type { Cursor } from './import-source.js';
import type { ImportConfig, ImportJob } from './import-job.js';
import type { Platform } from './platform.js';

/** Where the work goes on. */
export interface Checkpoint {
  /** Null: at the beginning. */
  readonly at: Cursor | null;
  /** Everything has been read. */
  readonly isRead: boolean;
  /** Contacts that the job made, or brought back, and that count against the plan. */
  readonly came: number;
  /** Whether the source has named addresses that it does not write to. */
  readonly hasSuppressions: boolean;
  /** Digest of what the cursor was read with: a cursor says nothing to another account. Null for files, and before any. */
  readonly account: string | null;
}

export const BEGINNING: Checkpoint = {
  at: null,
  isRead: false,
  came: 0,
  hasSuppressions: false,
  account: null,
};

/** What a job has come to. */
export interface Standing {
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
  /** Of a dry run. */
  readonly rowsKept: number;
}

/** A job in the hand of a process. */
export interface ClaimedImport {
  readonly id: string;
  readonly platform: Platform;
  readonly config: ImportConfig;
  /** Sealed. */
  readonly credentials: string | null;
  readonly fileId: string | null;
  readonly dryRun: boolean;
  readonly plan: string;
  readonly checkpoint: Checkpoint;
  readonly standing: Standing;
  readonly createdBy: string;
  /** Presence number of the process. */
  readonly worker: number;
  /** This one among them. */
  readonly attempts: number;
}

/** The checkpoint that is stored with a job. */
export function checkpointIn(stored: JsonObject | null): Checkpoint {
  if (stored === null) return BEGINNING;
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
 * The checkpoint from which credentials go on. Others than those it was reached with begin at the beginning, since their
 * account may be another one: whom the job has come across already is merged again, and counts once.
 * @param accounts digests of them; the first is the one to keep, and there is none for a file.
 */
export function checkpointOf(checkpoint: Checkpoint, accounts: readonly string[]): Checkpoint {
  const [account = null] = accounts;
  const isOther = checkpoint.account !== null && !accounts.includes(checkpoint.account);
  return { ...checkpoint, account, ...(isOther ? { at: null, isRead: false } : {}) };
}

/** What a source has said of how much there is. */
export interface Extent {
  readonly total?: number | undefined;
  readonly share?: number | undefined;
}

/** Of a job that is not at its end, in per cent. */
const ALMOST_ALL = 99.9;

/** How far a job is after more records were done; its share never falls, and it is all at the end alone. */
export function furthered(
  { total: knownTotal, percentComplete: before }: Standing,
  done: number,
  { total: saidTotal, share }: Extent,
): Pick<Standing, 'total' | 'percentComplete'> {
  const said = saidTotal ?? knownTotal;
  const total = said === null ? null : Math.max(said, done);
  const part = share ?? (total === null || total === 0 ? 0 : done / total);
  const percent = Math.floor(Math.min(Math.max(part, 0), 1) * 1_000) / 10;
  return { total, percentComplete: Math.max(before, Math.min(percent, ALMOST_ALL)) };
}

/**
 * Records in all, as far as is known: what the source says, else an estimate by how much of it is done, never less than
 * what is done. 0 while nothing is known; of a completed job what was done; of one that failed or was cancelled still
 * what there was to do.
 */
export function totalOf({ status, progress }: Pick<ImportJob, 'status' | 'progress'>): number {
  const { imported, failed, total, percentComplete } = progress;
  const done = imported + failed;
  if (status === 'completed') return done;
  if (total !== null) return Math.max(total, done);
  return percentComplete > 0 ? Math.max(done, Math.round((done * 100) / percentComplete)) : done;
}
