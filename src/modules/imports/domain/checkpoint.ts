/** How far a job is, in what it reads and in what came of it; stored with what it says, in one transaction. */
import type { JsonObject } from '../../../kernel/json.js';
import type { Cursor } from './import-source.js';
import type { ImportConfig } from './import-job.js';
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
}

export const BEGINNING: Checkpoint = { at: null, isRead: false, came: 0, hasSuppressions: false };

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
  readonly errorsKept: number;
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
  const { at, is_read: isRead, came, has_suppressions: hasSuppressions } = stored;
  return {
    at: (at ?? null) as Cursor | null,
    isRead: isRead === true,
    came: typeof came === 'number' ? came : 0,
    hasSuppressions: hasSuppressions === true,
  };
}

export function storedCheckpoint({ at, isRead, came, hasSuppressions }: Checkpoint): JsonObject {
  return { at, is_read: isRead, came, has_suppressions: hasSuppressions };
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
