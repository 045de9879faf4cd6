/**
 * Storage of a job's results other than contacts: errors of its records, results of a dry run, and other assets of
 * its platform.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { integerArray, textArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { SourceAsset } from '../domain/source-record.js';
import type { ImportError, RowError } from '../domain/import-error.js';
import type { ImportRow, RowResult } from '../domain/import-row.js';

/** A page of a job's errors or rows: a limit, and the number after which it starts. */
interface NumberedPage {
  readonly limit: number;
  readonly after: number;
}

@Injectable()
export class ImportResultsRepository {
  /** Adds errors to those that a job has. @param storedCount the number stored so far. */
  async addErrors(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    jobId: string,
    errors: readonly RowError[],
    storedCount: number,
  ): Promise<void> {
    if (errors.length === 0) return;
    await tx.execute(
      `INSERT INTO import_errors (workspace_id, environment, job_id, number, "row", external_id, code, detail)
       SELECT $1, $2, $3, $4 + u.place, u."row", u.external_id, u.code, u.detail
       FROM unnest($5::int[], $6::text[], $7::text[], $8::text[]) WITH ORDINALITY AS u("row", external_id, code, detail, place)`,
      [
        ...[workspaceId, environment, jobId, storedCount],
        integerArray(errors.map(({ row }) => row)),
        textArray(errors.map(({ externalId }) => externalId)),
        textArray(errors.map(({ code }) => code)),
        textArray(errors.map(({ detail }) => detail)),
      ],
    );
  }

  /** Adds rows to those that a dry run has. @param storedCount the number stored so far. */
  async addRows(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    jobId: string,
    rows: readonly RowResult[],
    storedCount: number,
  ): Promise<void> {
    if (rows.length === 0) return;
    await tx.execute(
      `INSERT INTO import_rows (workspace_id, environment, job_id, number, "row", external_id, outcome, updated_fields, opts_out, code)
       SELECT $1, $2, $3, $4 + u.place, u."row", u.external_id, u.outcome, u.updated_fields, u.opts_out, u.code
       FROM unnest($5::int[], $6::text[], $7::text[], $8::text[], $9::boolean[], $10::text[])
         WITH ORDINALITY AS u("row", external_id, outcome, updated_fields, opts_out, code, place)`,
      [
        ...[workspaceId, environment, jobId, storedCount],
        integerArray(rows.map(({ row }) => row)),
        textArray(rows.map(({ externalId }) => externalId)),
        textArray(rows.map(({ outcome }) => outcome)),
        textArray(rows.map(({ updatedFields }) => updatedFields.join(','))),
        rows.map(({ optsOut }) => optsOut),
        textArray(rows.map(({ code }) => code)),
      ],
    );
  }

  /** Stores the platform's other assets, in place of those found before. */
  async replaceAssets(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    jobId: string,
    assets: readonly SourceAsset[],
  ): Promise<void> {
    await tx.execute('DELETE FROM import_findings WHERE workspace_id = $1 AND job_id = $2', [
      workspaceId,
      jobId,
    ]);
    if (assets.length === 0) return;
    await tx.execute(
      `INSERT INTO import_findings (workspace_id, environment, job_id, number, kind, name, detail)
       SELECT $1, $2, $3, u.number, u.kind, u.name, u.detail
       FROM unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS u(kind, name, detail, number)`,
      [
        ...[workspaceId, environment, jobId],
        assets.map(({ kind }) => kind),
        assets.map(({ name }) => name),
        assets.map(({ detail }) => detail),
      ],
    );
  }

  /** Errors after a number, in the order of their occurrence. */
  async errors(
    tx: Transaction,
    { workspaceId }: TenantScope,
    jobId: string,
    { limit, after }: NumberedPage,
  ): Promise<ImportError[]> {
    return tx.query<ImportError & Record<string, unknown>>(
      `SELECT number, "row", external_id AS "externalId", code, detail FROM import_errors
       WHERE workspace_id = $1 AND job_id = $2 AND number > $3 ORDER BY number LIMIT $4`,
      [workspaceId, jobId, after, limit],
    );
  }

  async countErrors(tx: Transaction, { workspaceId }: TenantScope, jobId: string): Promise<number> {
    const [row] = await tx.query<{ errors: number }>(
      'SELECT count(*)::int AS errors FROM import_errors WHERE workspace_id = $1 AND job_id = $2',
      [workspaceId, jobId],
    );
    return row?.errors ?? 0;
  }

  /** Rows of a dry run after a number, in the order of their occurrence. */
  async rows(
    tx: Transaction,
    { workspaceId }: TenantScope,
    jobId: string,
    { limit, after }: NumberedPage,
  ): Promise<ImportRow[]> {
    return tx.query<ImportRow & Record<string, unknown>>(
      `SELECT number, "row", external_id AS "externalId", outcome, string_to_array(updated_fields, ',') AS "updatedFields",
         opts_out AS "optsOut", code FROM import_rows
       WHERE workspace_id = $1 AND job_id = $2 AND number > $3 ORDER BY number LIMIT $4`,
      [workspaceId, jobId, after, limit],
    );
  }

  async countRows(tx: Transaction, { workspaceId }: TenantScope, jobId: string): Promise<number> {
    const [row] = await tx.query<{ rows: number }>(
      'SELECT count(*)::int AS rows FROM import_rows WHERE workspace_id = $1 AND job_id = $2',
      [workspaceId, jobId],
    );
    return row?.rows ?? 0;
  }

  /** The other assets, in the order in which the platform returned them. */
  async assets(tx: Transaction, { workspaceId }: TenantScope, jobId: string): Promise<SourceAsset[]> {
    return tx.query<SourceAsset & Record<string, unknown>>(
      `SELECT kind, name, detail FROM import_findings WHERE workspace_id = $1 AND job_id = $2 ORDER BY number`,
      [workspaceId, jobId],
    );
  }
}
