/** Storage of what was wrong with records. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { integerArray, textArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { RowError } from '../domain/import-error.js';

@Injectable()
export class ImportErrorRepository {
  /** Adds errors to those that a job has. @param kept how many it has. */
  async add(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    jobId: string,
    errors: readonly RowError[],
    kept: number,
  ): Promise<void> {
    if (errors.length === 0) return;
    await tx.execute(
      `INSERT INTO import_errors (workspace_id, environment, job_id, number, "row", external_id, code, detail)
       SELECT $1, $2, $3, $4 + u.place, u."row", u.external_id, u.code, u.detail
       FROM unnest($5::int[], $6::text[], $7::text[], $8::text[]) WITH ORDINALITY AS u("row", external_id, code, detail, place)`,
      [
        workspaceId,
        environment,
        jobId,
        kept,
        integerArray(errors.map(({ row }) => row)),
        textArray(errors.map(({ externalId }) => externalId)),
        textArray(errors.map(({ code }) => code)),
        textArray(errors.map(({ detail }) => detail)),
      ],
    );
  }

  /** Has errors of a person's records tell of nobody. @returns how many there were. */
  async forget(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    { externalId, email, pseudonym }: { externalId: string; email: string | null; pseudonym: string },
  ): Promise<number> {
    return tx.execute(
      `UPDATE import_errors SET external_id = $5, detail = 'The person was erased.'
       WHERE workspace_id = $1 AND environment = $2 AND (external_id = $3 OR lower(external_id) = lower($4))`,
      [workspaceId, environment, externalId, email, pseudonym],
    );
  }
}
