/** Storage of files in pieces. Queries never return a file whose upload is incomplete, or that is being removed. */
import { Injectable } from '@nestjs/common';
import { jsonText } from '../../../kernel/json-text.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import type { DueTenant } from '../../../platform/queue/poller.js';
import type { DescribedFile, ImportFile } from '../domain/files/import-file.js';

/** Size of a piece in bytes; the last one of a file is smaller. */
export const PIECE_BYTES = 1_048_576;

export interface NewFile {
  readonly id: string;
  readonly name: string;
  /** The job that downloads it; null for an upload. */
  readonly jobId: string | null;
  readonly createdBy: string;
}

export interface NewPiece {
  /** Number of the piece, from 0. */
  readonly number: number;
  readonly bytes: Buffer;
  /** Until when the next piece must arrive. */
  readonly expiresAt: Date;
}

/** The uploads of an environment. */
export interface UploadUsage {
  /** Uploads that are not complete yet. */
  readonly incomplete: number;
  /** Size of all uploads in bytes. */
  readonly storedBytes: number;
}

/** Bytes of the files of migrations, complete or not. */
export interface StoredBytes {
  readonly ofAll: number;
  readonly ofWorkspace: number;
}

/** The most that one transaction removes; at least one file. */
export interface RemovalLimits {
  readonly files: number;
  readonly bytes: number;
}

/** Each tenant's earliest expiry. */
const EARLIEST = earliestOfTenants('FROM import_files WHERE expires_at IS NOT NULL', 'expires_at');

/** A job that has not ended reads the file. */
const IS_IN_USE = `EXISTS (SELECT FROM import_jobs j
  WHERE j.workspace_id = f.workspace_id AND j.file_id = f.id AND j.status IN ('queued', 'running'))`;

interface FileRow {
  readonly id: string;
  readonly name: string;
  readonly format: ImportFile['format'];
  readonly encoding: ImportFile['encoding'];
  readonly separator: ImportFile['separator'];
  readonly size: string;
  readonly columns: ImportFile['columns'];
  readonly sample: ImportFile['sample'];
  readonly suggestedMapping: ImportFile['suggestedMapping'];
  readonly suggestedTypes: ImportFile['suggestedTypes'] | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

@Injectable()
export class ImportFileRepository {
  constructor(private readonly database: Database) {}

  /** Tenants with the time at which the first of their files expires. */
  async due(): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(EARLIEST);
  }

  /** Bytes that all workspaces store, and that one of them stores in both environments. */
  async stored(workspaceId: string): Promise<StoredBytes> {
    const [row] = await this.database.acrossTenants<{ ofAll: string; ofWorkspace: string }>(
      `SELECT coalesce(sum(size), 0) AS "ofAll",
         coalesce(sum(size) FILTER (WHERE workspace_id = $1), 0) AS "ofWorkspace" FROM import_files`,
      [workspaceId],
    );
    return { ofAll: Number(row?.ofAll ?? 0), ofWorkspace: Number(row?.ofWorkspace ?? 0) };
  }

  /** The uploads of the environment. Until the end of the transaction, no other upload can start there. */
  async uploadsOf(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    now: Date,
  ): Promise<UploadUsage> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `import_files ${workspaceId} ${environment}`,
    ]);
    const [row] = await tx.query<{ coming: number; kept: string }>(
      `SELECT count(*) FILTER (WHERE NOT is_ready)::int AS coming, coalesce(sum(size), 0) AS kept FROM import_files
       WHERE workspace_id = $1 AND environment = $2 AND job_id IS NULL AND expires_at > $3`,
      [workspaceId, environment, now],
    );
    return { incomplete: row?.coming ?? 0, storedBytes: Number(row?.kept ?? 0) };
  }

  async create(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    { id, name, jobId, createdBy }: NewFile,
    now: Date,
    expiresAt: Date,
  ): Promise<void> {
    await tx.execute(
      `INSERT INTO import_files (workspace_id, environment, id, name, is_ready, job_id, created_by, created_at, expires_at)
       VALUES ($1, $2, $3, $4, false, $5, $6, $7, $8)`,
      [workspaceId, environment, id, name, jobId, createdBy, now, expiresAt],
    );
  }

  /**
   * Prepares a new download of a job. A job stores one download at a time. Other downloads of the environment are
   * removed, oldest first, until at most `maxBytes` bytes are left; a job whose download was removed downloads it again.
   * @returns false if the job has ended, so that nothing may be downloaded for it any more.
   */
  async evictDownloads(
    tx: Transaction,
    scope: TenantScope,
    jobId: string,
    maxBytes: number,
  ): Promise<boolean> {
    const { workspaceId, environment } = scope;
    const [job] = await tx.query<{ status: string }>(
      'SELECT status FROM import_jobs WHERE workspace_id = $1 AND environment = $2 AND id = $3 FOR KEY SHARE',
      [workspaceId, environment, jobId],
    );
    if (job && job.status !== 'running' && job.status !== 'queued') return false;
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM (
         SELECT id, job_id, sum(size) FILTER (WHERE job_id <> $3) OVER (ORDER BY created_at DESC, id DESC) AS kept
         FROM import_files WHERE workspace_id = $1 AND environment = $2 AND job_id IS NOT NULL) AS f
       WHERE job_id = $3 OR kept > $4`,
      [workspaceId, environment, jobId, maxBytes],
    );
    await this.remove(
      tx,
      scope,
      rows.map(({ id }) => id),
    );
    return true;
  }

  /** Adds the next piece. @returns false if the file no longer exists; then nothing is stored. */
  async addPiece(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    fileId: string,
    { number, bytes, expiresAt }: NewPiece,
  ): Promise<boolean> {
    const added = await tx.execute(
      `WITH file AS (
         UPDATE import_files SET size = size + $5, pieces = pieces + 1, expires_at = $7
         WHERE workspace_id = $1 AND id = $2 AND NOT is_ready AND pieces = $3 RETURNING id)
       INSERT INTO import_file_pieces (workspace_id, environment, file_id, number, bytes)
       SELECT $1, $6, id, $3, $4 FROM file`,
      [workspaceId, fileId, number, bytes, bytes.length, environment, expiresAt],
    );
    return added > 0;
  }

  /** Extends the expiry of an unfinished file. @returns false if it no longer exists. */
  async extendUpload(
    tx: Transaction,
    { workspaceId }: TenantScope,
    fileId: string,
    expiresAt: Date,
  ): Promise<boolean> {
    const updated = await tx.execute(
      'UPDATE import_files SET expires_at = $3 WHERE workspace_id = $1 AND id = $2 AND NOT is_ready',
      [workspaceId, fileId, expiresAt],
    );
    return updated > 0;
  }

  /** @param described the description of an upload; null for a download. */
  async finish(
    tx: Transaction,
    { workspaceId }: TenantScope,
    fileId: string,
    described: DescribedFile | null,
    expiresAt: Date,
  ): Promise<boolean> {
    const finished = await tx.execute(
      `UPDATE import_files SET is_ready = true, format = $3, encoding = $4, separator = $5, columns = $6, sample = $7,
         suggested_mapping = $8, expires_at = $9, suggested_types = $10 WHERE workspace_id = $1 AND id = $2 AND NOT is_ready`,
      [
        ...[workspaceId, fileId, described?.format, described?.encoding, described?.separator],
        ...[json(described?.columns), json(described?.sample), json(described?.suggestedMapping), expiresAt],
        json(described?.suggestedTypes),
      ],
    );
    return finished > 0;
  }

  /** A complete upload. */
  async find(tx: Transaction, { workspaceId }: TenantScope, fileId: string): Promise<ImportFile | undefined> {
    const [row] = await tx.query<FileRow & Record<string, unknown>>(
      `SELECT id, name, format, encoding, separator, size, columns, sample, suggested_mapping AS "suggestedMapping",
         suggested_types AS "suggestedTypes",
         created_by AS "createdBy", created_at AS "createdAt", expires_at AS "expiresAt"
       FROM import_files WHERE workspace_id = $1 AND id = $2 AND is_ready AND format IS NOT NULL`,
      [workspaceId, fileId],
    );
    return row && { ...row, suggestedTypes: row.suggestedTypes ?? {}, size: Number(row.size) };
  }

  async sizeOf(tx: Transaction, { workspaceId }: TenantScope, fileId: string): Promise<number> {
    const [row] = await tx.query<{ size: string }>(
      'SELECT size FROM import_files WHERE workspace_id = $1 AND id = $2 AND is_ready',
      [workspaceId, fileId],
    );
    return Number(row?.size ?? 0);
  }

  /** The rest of a piece, from an offset in the file on; undefined after the end. */
  async bytesAt(
    tx: Transaction,
    { workspaceId }: TenantScope,
    fileId: string,
    offset: number,
  ): Promise<Buffer | undefined> {
    const pieceOffset = offset % PIECE_BYTES;
    const [row] = await tx.query<{ bytes: Buffer }>(
      `SELECT ${pieceOffset === 0 ? 'bytes' : `substring(bytes FROM ${pieceOffset + 1})`} AS bytes FROM import_file_pieces p
       WHERE workspace_id = $1 AND file_id = $2 AND number = $3 AND EXISTS (
         SELECT FROM import_files f WHERE f.workspace_id = $1 AND f.id = $2 AND f.is_ready)`,
      [workspaceId, fileId, Math.floor(offset / PIECE_BYTES)],
    );
    return row?.bytes;
  }

  async retainUntil(
    tx: Transaction,
    { workspaceId }: TenantScope,
    fileId: string,
    until: Date,
  ): Promise<void> {
    await tx.execute(
      'UPDATE import_files SET expires_at = greatest(expires_at, $3) WHERE workspace_id = $1 AND id = $2',
      [workspaceId, fileId, until],
    );
  }

  async removeOfJob(tx: Transaction, scope: TenantScope, jobId: string): Promise<void> {
    const rows = await tx.query<{ id: string }>(
      'SELECT id FROM import_files WHERE workspace_id = $1 AND job_id = $2',
      [scope.workspaceId, jobId],
    );
    await this.remove(
      tx,
      scope,
      rows.map(({ id }) => id),
    );
  }

  async remove(tx: Transaction, { workspaceId }: TenantScope, fileIds: readonly string[]): Promise<number> {
    if (fileIds.length === 0) return 0;
    const removed = await tx.execute(
      'DELETE FROM import_files WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
      [workspaceId, fileIds],
    );
    await tx.execute(
      'DELETE FROM import_file_pieces WHERE workspace_id = $1 AND file_id = ANY ($2::uuid[])',
      [workspaceId, fileIds],
    );
    return removed;
  }

  /**
   * Removes expired files, earliest expiry first. Files that a job reads stay for another day.
   * @returns how many were removed.
   */
  async removeExpired(
    tx: Transaction,
    scope: TenantScope,
    now: Date,
    limits: RemovalLimits,
  ): Promise<number> {
    const { workspaceId, environment } = scope;
    await tx.execute(
      `UPDATE import_files f SET expires_at = $3::timestamptz + interval '1 day'
       WHERE workspace_id = $1 AND environment = $2 AND expires_at <= $3 AND ${IS_IN_USE}`,
      [workspaceId, environment, now],
    );
    const rows = await tx.query<{ id: string; size: string }>(
      `SELECT id, size FROM import_files WHERE workspace_id = $1 AND environment = $2 AND expires_at <= $3
       ORDER BY expires_at LIMIT $4 FOR UPDATE SKIP LOCKED`,
      [workspaceId, environment, now, limits.files],
    );
    let bytes = 0;
    const removable = rows.filter(({ size }, at) => (bytes += Number(size)) <= limits.bytes || at === 0);
    return this.remove(
      tx,
      scope,
      removable.map(({ id }) => id),
    );
  }
}

function json(value: unknown): string | null {
  return value === undefined ? null : jsonText(value);
}
