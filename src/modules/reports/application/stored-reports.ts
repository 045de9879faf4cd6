/** Loads an existing report, and checks that the viewer may see it or change it. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { assertMayChange, mayView, type ReportViewer } from '../domain/report-access.js';
import { withCurrentSchedule } from '../domain/schedule-change.js';
import type { ReportRecord } from '../domain/report-record.js';
import { ReportRepository, type ReportLock } from '../persistence/report.repository.js';

@Injectable()
export class StoredReports {
  constructor(
    private readonly reports: ReportRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns a report that the viewer can see.
   * @throws DomainError report_not_found, also for another member's private report.
   */
  async find(
    tx: Transaction,
    viewer: ReportViewer,
    id: string,
    lock: ReportLock = 'none',
  ): Promise<ReportRecord> {
    const report = isUuid(id) ? await this.reports.find(tx, viewer.scope, id, lock) : undefined;
    if (!report || !mayView(viewer, report)) throw unknownReport(id);
    return withCurrentSchedule(report, this.clock.now());
  }

  /**
   * As `find`, to change the report (`change`) or its link or schedule (`stay`).
   * @throws DomainError report_not_found, template_report_read_only, insufficient_role.
   */
  async findToChange(
    tx: Transaction,
    viewer: ReportViewer,
    id: string,
    lock: 'change' | 'stay',
  ): Promise<ReportRecord> {
    const report = await this.find(tx, viewer, id, lock);
    assertMayChange(viewer, report);
    return report;
  }
}

export function unknownReport(id: string): DomainError {
  return new DomainError('report_not_found', `No report has the ID ${id}.`);
}
