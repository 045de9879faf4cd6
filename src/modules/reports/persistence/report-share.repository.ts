/** Share links of reports, by the hashes of their tokens: one per report. */
import { Injectable } from '@nestjs/common';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { ReportShare } from '../domain/report-record.js';
import { ReportShareEntity } from './report-share.entity.js';

/** What a link gives access to: a report, with the data of one environment. */
export interface SharedReport {
  readonly scope: TenantScope;
  readonly reportId: string;
  readonly expiresAt: Date;
}

@Injectable()
export class ReportShareRepository {
  constructor(private readonly database: Database) {}

  /** Stores the share link of a report; replaces an existing one. */
  async upsert(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    reportId: string,
    { expiresAt, createdAt, tokenHash }: ReportShare & { readonly tokenHash: string },
  ): Promise<void> {
    const row = { workspaceId, reportId, environment, tokenHash, expiresAt, createdAt };
    await tx.manager.upsert(ReportShareEntity, row, ['workspaceId', 'reportId']);
  }

  /** @returns whether a link existed. */
  async delete(tx: Transaction, { workspaceId }: WorkspaceScope, reportId: string): Promise<boolean> {
    const { affected } = await tx.manager.delete(ReportShareEntity, { workspaceId, reportId });
    return affected === 1;
  }

  /**
   * Resolves a token's hash before any tenant scope is known.
   * @param read runs in the same transaction, which has the scope of the link from then on.
   */
  async resolve<Result>(
    tokenHash: string,
    read: (tx: Transaction, shared: SharedReport) => Promise<Result>,
  ): Promise<Result | undefined> {
    return this.database.withProof({ shareHash: tokenHash }, async (tx) => {
      const row = await tx.manager.findOneBy(ReportShareEntity, { tokenHash });
      if (!row) return undefined;
      const { workspaceId, reportId, expiresAt } = row;
      const scope = { workspaceId, environment: row.environment };
      await tx.enter(scope);
      return read(tx, { scope, reportId, expiresAt });
    });
  }
}
