/** Storage of what a job has seen, as digests: each contact counts once, even if work is repeated. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';

/** A digest of 16 bytes, in hexadecimal digits. */
export type SeenKey = string;

@Injectable()
export class ImportSeenRepository {
  /** Stores keys. @returns those that were not stored before. */
  async insertNew(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    jobId: string,
    keys: readonly SeenKey[],
  ): Promise<Set<SeenKey>> {
    if (keys.length === 0) return new Set();
    const rows = await tx.query<{ key: SeenKey }>(
      `INSERT INTO import_seen (workspace_id, environment, job_id, key_hash)
       SELECT $1, $2, $3, uuid_send(key) FROM unnest($4::uuid[]) AS key ORDER BY key
       ON CONFLICT DO NOTHING RETURNING encode(key_hash, 'hex') AS key`,
      [workspaceId, environment, jobId, uuidArray(keys)],
      'import-seen-note',
    );
    return new Set(rows.map(({ key }) => key));
  }

  /**
   * Those of the keys that are stored, with one index lookup for each, however many a job has. Keys are compared
   * without a function: with one, the table's row security would make the query read all of the job's keys first.
   */
  async among(
    tx: Transaction,
    { workspaceId }: TenantScope,
    jobId: string,
    keys: readonly SeenKey[],
  ): Promise<Set<SeenKey>> {
    if (keys.length === 0) return new Set();
    const rows = await tx.query<{ key: SeenKey }>(
      `SELECT encode(s.key_hash, 'hex') AS key FROM unnest($3::bytea[]) AS u(key),
         LATERAL (SELECT key_hash FROM import_seen WHERE workspace_id = $1 AND job_id = $2 AND key_hash = u.key LIMIT 1) AS s`,
      [workspaceId, jobId, keys.map((key) => Buffer.from(key, 'hex'))],
      'import-seen-among',
    );
    return new Set(rows.map(({ key }) => key));
  }

  /**
   * Deletes some keys of jobs that have ended for good, or that failed long ago. Rows are deleted by ctid: in a join
   * by key, statistics from when the table was empty would lead to a nested loop over all rows.
   * @returns how many were deleted.
   */
  async deleteSome(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    limit: number,
    now: Date,
  ): Promise<number> {
    const deleted = await tx.execute(
      `DELETE FROM import_seen WHERE ctid = ANY (ARRAY(
         SELECT k.place FROM (
           SELECT id FROM import_jobs WHERE workspace_id = $1 AND environment = $2
             AND (status IN ('completed', 'cancelled') OR forget_at <= $4)) AS j,
           LATERAL (SELECT ctid AS place FROM import_seen WHERE workspace_id = $1 AND job_id = j.id LIMIT $3) AS k
         LIMIT $3))`,
      [workspaceId, environment, limit, now],
    );
    if (deleted < limit)
      await tx.execute(
        'UPDATE import_jobs SET forget_at = NULL WHERE workspace_id = $1 AND environment = $2 AND forget_at <= $3',
        [workspaceId, environment, now],
      );
    return deleted;
  }
}
