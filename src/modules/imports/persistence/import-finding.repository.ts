/** Storage of what else a platform has, by name. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { ForeignThing } from '../domain/foreign-contact.js';

@Injectable()
export class ImportFindingRepository {
  /** Stores what a job has found, in the place of what it found before. */
  async replace(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    jobId: string,
    things: readonly ForeignThing[],
  ): Promise<void> {
    await tx.execute('DELETE FROM import_findings WHERE workspace_id = $1 AND job_id = $2', [
      workspaceId,
      jobId,
    ]);
    if (things.length === 0) return;
    await tx.execute(
      `INSERT INTO import_findings (workspace_id, environment, job_id, number, kind, name, detail)
       SELECT $1, $2, $3, u.number, u.kind, u.name, u.detail
       FROM unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS u(kind, name, detail, number)`,
      [
        workspaceId,
        environment,
        jobId,
        things.map(({ kind }) => kind),
        things.map(({ name }) => name),
        things.map(({ detail }) => detail),
      ],
    );
  }
}
