/**
 * Creates, reads and changes reports, sections 2.8 and 4.4. Reports belong to the workspace and are the same in both
 * environments.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { invalidFields } from '../../../kernel/domain-error.js';
import { isStorableText } from '../../../kernel/json.js';
import { isUuid, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { ReportViewer } from '../domain/report-access.js';
import { MAX_REPORTS } from '../domain/report-limits.js';
import {
  changedReport,
  copyOfReport,
  newReport,
  type ReportCreation,
  type ReportChange,
  type ReportContent,
} from '../domain/report-change.js';
import type { ReportFilter, ReportOrder, ReportPage } from '../domain/report-filter.js';
import type { ReportRecord } from '../domain/report-record.js';
import type { Report } from '../domain/report.js';
import { withCurrentSchedule } from '../domain/schedule-change.js';
import { templateReports } from '../domain/template-reports.js';
import { ReportRepository } from '../persistence/report.repository.js';
import { ReportScheduleRepository } from '../persistence/report-schedule.repository.js';
import { ReportShareRepository } from '../persistence/report-share.repository.js';
import { ScheduleChanges } from './schedule-changes.js';
import { ScheduleRecipients } from './schedule-recipients.js';
import { StoredReports } from './stored-reports.js';

export interface ReportList {
  readonly reports: readonly ReportRecord[];
  /** The number of reports that match the filter. */
  readonly total: number;
}

@Injectable()
export class ReportService {
  constructor(
    private readonly database: Database,
    private readonly reports: ReportRepository,
    private readonly shares: ReportShareRepository,
    private readonly schedules: ReportScheduleRepository,
    private readonly storedReports: StoredReports,
    private readonly scheduleChanges: ScheduleChanges,
    private readonly recipients: ScheduleRecipients,
    private readonly clock: Clock,
  ) {}

  /** Returns a page of the reports that the viewer can see. The first list creates the workspace's template reports. */
  async list(
    viewer: ReportViewer,
    filter: ReportFilter,
    order: ReportOrder,
    page: ReportPage,
  ): Promise<ReportList> {
    const { scope, memberId } = viewer;
    const listFilter = { ...filter, tab: filter.tab ?? 'all', memberId };
    const now = this.clock.now();
    const list = (): Promise<ReportList | undefined> =>
      this.database.listInScope(scope, async (tx) => {
        if (!(await this.reports.hasTemplates(tx, scope))) return undefined;
        if (!canFind(filter)) return { reports: [], total: 0 };
        const total = await this.reports.count(tx, scope, listFilter);
        const reports = await this.reports.list(tx, scope, listFilter, order, page);
        return { reports: reports.map((report) => withCurrentSchedule(report, now)), total };
      });
    const found = await list();
    if (found) return found;
    await this.makeTemplates(scope, now);
    return (await list()) ?? { reports: [], total: 0 };
  }

  /**
   * Creates a report.
   * @throws DomainError invalid_field for an invalid config, or if the workspace has reached its maximum of reports.
   */
  async create(viewer: ReportViewer, content: ReportContent): Promise<ReportRecord> {
    return this.make(viewer, () => Promise.resolve((creation) => newReport(content, creation)));
  }

  /**
   * Returns a report that the viewer can see, without recording a view.
   * @throws DomainError report_not_found.
   */
  async get(viewer: ReportViewer, id: string): Promise<ReportRecord> {
    return this.database.inScope(viewer.scope, (tx) => this.storedReports.find(tx, viewer, id));
  }

  /**
   * As `get`, and records the view.
   * @throws DomainError report_not_found.
   */
  async view(viewer: ReportViewer, id: string): Promise<ReportRecord> {
    return this.database.inScope(viewer.scope, async (tx) => {
      const report = await this.storedReports.find(tx, viewer, id);
      const lastViewedAt = this.clock.now();
      await this.reports.recordView(tx, viewer.scope, report.id, lastViewedAt);
      return { ...report, lastViewedAt };
    });
  }

  /**
   * Changes a report and increments its version.
   * @throws DomainError report_not_found, template_report_read_only, insufficient_role, invalid_field.
   */
  async update(viewer: ReportViewer, id: string, change: ReportChange): Promise<ReportRecord> {
    return this.database.inScope(viewer.scope, async (tx) => {
      const report = await this.storedReports.findToChange(tx, viewer, id, 'change');
      const now = this.clock.now();
      const changed = changedReport(report, change, now);
      await this.reports.store(tx, viewer.scope, changed);
      await this.scheduleChanges.reportChanged(tx, viewer.scope, report.id, now);
      return changed;
    });
  }

  /**
   * Deletes a report permanently, with its link and its schedule.
   * @throws DomainError report_not_found, template_report_read_only, insufficient_role.
   */
  async remove(viewer: ReportViewer, id: string): Promise<void> {
    const { scope } = viewer;
    await this.database.inScope(scope, async (tx) => {
      const report = await this.storedReports.findToChange(tx, viewer, id, 'change');
      await this.schedules.delete(tx, scope, report.id);
      await this.shares.delete(tx, scope, report.id);
      await this.reports.delete(tx, scope, report.id);
      await this.scheduleChanges.stopped(tx, scope, report.id, this.clock.now());
      await this.recipients.forget(tx, scope, report.id, this.clock.now());
    });
  }

  /**
   * Creates a private copy of a report, without its link and its schedule.
   * @throws DomainError report_not_found; invalid_field if the workspace has reached its maximum of reports.
   */
  async duplicate(viewer: ReportViewer, id: string): Promise<ReportRecord> {
    return this.make(viewer, async (tx) => {
      const report = await this.storedReports.find(tx, viewer, id);
      return (creation) => copyOfReport(report, creation);
    });
  }

  private async make(
    { scope, memberId: createdBy }: ReportViewer,
    prepare: (tx: Transaction) => Promise<(creation: ReportCreation) => Report>,
  ): Promise<ReportRecord> {
    return this.database.inScope(scope, async (tx) => {
      await this.reports.lockAll(tx, scope);
      const make = await prepare(tx);
      if ((await this.reports.countOwn(tx, scope)) >= MAX_REPORTS) throw tooManyReports();
      const now = this.clock.now();
      const report = make({ id: uuidv7(now.getTime()), createdBy, now });
      await this.reports.insert(tx, scope, report);
      return { ...report, share: null, schedule: null };
    });
  }

  /** Concurrent calls wait for the first one's templates, and create none. */
  private async makeTemplates(scope: WorkspaceScope, now: Date): Promise<void> {
    const templates = templateReports(() => uuidv7(now.getTime()), now);
    await this.database.inScope(scope, (tx) => this.reports.insertTemplates(tx, scope, templates));
  }
}

/** Text that PostgreSQL cannot store occurs in no report, and cannot be a query parameter. */
function canFind({ search, createdBy }: ReportFilter): boolean {
  return (search === undefined || isStorableText(search)) && (createdBy === undefined || isUuid(createdBy));
}

function tooManyReports(): Error {
  return invalidFields([
    {
      field: 'name',
      message: `a workspace can have at most ${MAX_REPORTS} reports: delete one to create another`,
    },
  ]);
}
