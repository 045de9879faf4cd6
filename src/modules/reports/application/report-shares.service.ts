/** Share links, which show a report without an account, sections 3.4 and 4.4. */
import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { DAY } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { Database } from '../../../platform/database/database.js';
import type { ReportViewer } from '../domain/report-access.js';
import type { ReportShare } from '../domain/report-record.js';
import type { Report } from '../domain/report.js';
import { urlOfToken, hashOfToken, isWellFormedToken, TOKEN_BYTES, writeToken } from '../domain/share-link.js';
import { ReportRepository } from '../persistence/report.repository.js';
import { ReportShareRepository } from '../persistence/report-share.repository.js';
import { StoredReports } from './stored-reports.js';

/** A link as its creator sees it, once. */
export interface NewShareLink extends ReportShare {
  readonly token: string;
  readonly url: string;
}

@Injectable()
export class ReportShares {
  constructor(
    private readonly database: Database,
    private readonly shares: ReportShareRepository,
    private readonly reports: ReportRepository,
    private readonly storedReports: StoredReports,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /**
   * Creates the share link of a report, which shows data of the viewer's environment. The previous link stops working.
   * @throws DomainError report_not_found, template_report_read_only, insufficient_role.
   */
  async create(viewer: ReportViewer, id: string, expiresInDays: number): Promise<NewShareLink> {
    const { scope } = viewer;
    const token = writeToken(randomBytes(TOKEN_BYTES));
    return this.database.inScope(scope, async (tx) => {
      const report = await this.storedReports.findToChange(tx, viewer, id, 'stay');
      const createdAt = this.clock.now();
      const share = { createdAt, expiresAt: new Date(createdAt.getTime() + expiresInDays * DAY) };
      await this.shares.upsert(tx, scope, report.id, { ...share, tokenHash: hashOfToken(token) });
      return { ...share, token, url: urlOfToken(this.config.baseUrl, token) };
    });
  }

  /**
   * Deletes a report's share link, expired or not.
   * @throws DomainError report_not_found, template_report_read_only, insufficient_role, share_link_not_found.
   */
  async revoke(viewer: ReportViewer, id: string): Promise<void> {
    await this.database.inScope(viewer.scope, async (tx) => {
      const report = await this.storedReports.findToChange(tx, viewer, id, 'stay');
      if (!(await this.shares.delete(tx, viewer.scope, report.id)))
        throw new DomainError('share_link_not_found', 'The report has no share link.');
    });
  }

  /**
   * Returns the report that a token gives access to, with the environment in which the link was created. Needs no
   * account.
   * @throws DomainError share_link_not_found for an unknown, revoked or replaced token; share_link_expired.
   */
  async find(token: string): Promise<{ readonly scope: TenantScope; readonly report: Report }> {
    const found = isWellFormedToken(token)
      ? await this.shares.resolve(hashOfToken(token), async (tx, { scope, reportId, expiresAt }) => {
          if (expiresAt <= this.clock.now())
            throw new DomainError('share_link_expired', 'The share link has expired: request a new one.');
          const report = await this.reports.find(tx, scope, reportId);
          return report && { scope, report };
        })
      : undefined;
    if (!found) throw new DomainError('share_link_not_found', 'No report has this share link.');
    return found;
  }
}
