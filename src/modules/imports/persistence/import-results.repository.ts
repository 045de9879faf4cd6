/** What is read of a job's results: what was wrong with its records, and what else its platform has. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { ForeignThing } from '../domain/foreign-contact.js';
import type { ImportError } from '../domain/import-error.js';

@Injectable()
export class ImportResultsRepository {
  /** Errors behind a number, in the order in which they came. */
  async errors(
    tx: Transaction,
    { workspaceId }: TenantScope,
    jobId: string,
    { limit, behind }: { readonly limit: number; readonly behind: number },
  ): Promise<ImportError[]> {
    return tx.query<ImportError & Record<string, unknown>>(
      `SELECT number, "row", external_id AS "externalId", code, detail FROM import_errors
       WHERE workspace_id = $1 AND job_id = $2 AND number > $3 ORDER BY number LIMIT $4`,
      [workspaceId, jobId, behind, limit],
    );
  }

  async countErrors(tx: Transaction, { workspaceId }: TenantScope, jobId: string): Promise<number> {
    const [row] = await tx.query<{ errors: number }>(
      'SELECT count(*)::int AS errors FROM import_errors WHERE workspace_id = $1 AND job_id = $2',
      [workspaceId, jobId],
    );
    return row?.errors ?? 0;
  }

  /** What else there is, as the platform told it. */
  async things(tx: Transaction, { workspaceId }: TenantScope, jobId: string): Promise<ForeignThing[]> {
    return tx.query<ForeignThing & Record<string, unknown>>(
      `SELECT kind, name, detail FROM import_findings WHERE workspace_id = $1 AND job_id = $2 ORDER BY number`,
      [workspaceId, jobId],
    );
  }
}
