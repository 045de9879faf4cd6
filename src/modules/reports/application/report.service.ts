/** Making, reading and changing reports, sections 2.8 and 4.4: they are the workspace's, in both environments the same. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { invalidFields } from '../../../kernel/domain-error.js';
import { isStorableText } from '../../../kernel/json.js';
import { isUuid, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { ReportViewer } from '../domain/report-access.js';
import { MOST_REPORTS } from '../domain/report-bounds.js';
import {
  changedReport,
  copyOfReport,
  newReport,
  type Making,
  type ReportChange,
  type ReportContent,
} from '../domain/report-change.js';
import type { ReportFilter, ReportOrder, ReportPage } from '../domain/report-filter.js';
import type { ReportRecord } from '../domain/report-record.js';
import type { Report } from '../domain/report.js';
import { shownRecord } from '../domain/schedule-change.js';
import { templateReports } from '../domain/template-reports.js';
import { ReportRepository } from '../persistence/report.repository.js';
import { ReportScheduleRepository } from '../persistence/report-schedule.repository.js';
import { ReportShareRepository } from '../persistence/report-share.repository.js';
import { ScheduleChanges } from './schedule-changes.js';
import { ScheduleRecipients } from './schedule-recipients.js';
import { StoredReports } from './stored-reports.js';

export interface ReportList {
  readonly reports: readonly ReportRecord[];
  /** How many the filter lets through. */
  readonly total: number;
}

@Injectable()
export class ReportService {
  constructor(
    private readonly database: Database,
    private readonly reports: ReportRepository,
    private readonly shares: ReportShareRepository,
    private readonly schedules: ReportScheduleRepository,
    private readonly stored: StoredReports,
    private readonly mail: ScheduleChanges,
    private readonly recipients: ScheduleRecipients,
    private readonly clock: Clock,
  ) {}

  /** A page of the reports that the viewer sees; the first one makes the templates of the workspace. */
  async list(
    viewer: ReportViewer,
    filter: ReportFilter,
    order: ReportOrder,
    page: ReportPage,
  ): Promise<ReportList> {
    const { scope, memberId } = viewer;
    const listed = { ...filter, tab: filter.tab ?? 'all', memberId };
    const now = this.clock.now();
    const list = (): Promise<ReportList | undefined> =>
      this.database.listInScope(scope, async (tx) => {
        if (!(await this.reports.hasTemplates(tx, scope))) return undefined;
        if (!canFind(filter)) return { reports: [], total: 0 };
        const total = await this.reports.count(tx, scope, listed);
        const reports = await this.reports.list(tx, scope, listed, order, page);
        return { reports: reports.map((report) => shownRecord(report, now)), total };
      });
    const found = await list();
    if (found) return found;
    await this.makeTemplates(scope, now);
    return (await list()) ?? { reports: [], total: 0 };
  }

  /**
   * Makes a report.
   * @throws DomainError invalid_field for a config that says what cannot be, or where the workspace is full of reports.
   */
  async create(viewer: ReportViewer, content: ReportContent): Promise<ReportRecord> {
    return this.make(viewer, () => Promise.resolve((making) => newReport(content, making)));
  }

  /**
   * A report that the viewer sees; nobody hears of it.
   * @throws DomainError report_not_found.
   */
  async get(viewer: ReportViewer, id: string): Promise<ReportRecord> {
    return this.database.inScope(viewer.scope, (tx) => this.stored.find(tx, viewer, id));
  }

  /**
   * As `get`, and notes that somebody has looked at it.
   * @throws DomainError report_not_found.
   */
  async view(viewer: ReportViewer, id: string): Promise<ReportRecord> {
    return this.database.inScope(viewer.scope, async (tx) => {
      const report = await this.stored.find(tx, viewer, id);
      const lastViewedAt = this.clock.now();
      await this.reports.noteView(tx, viewer.scope, report.id, lastViewedAt);
      return { ...report, lastViewedAt };
    });
  }

  /**
   * Changes a report, which becomes its next version.
   * @throws DomainError report_not_found, template_report_read_only, insufficient_role, invalid_field.
   */
  async update(viewer: ReportViewer, id: string, change: ReportChange): Promise<ReportRecord> {
    return this.database.inScope(viewer.scope, async (tx) => {
      const report = await this.stored.findToChange(tx, viewer, id, 'change');
      const now = this.clock.now();
      const changed = changedReport(report, change, now);
      await this.reports.store(tx, viewer.scope, changed);
      await this.mail.reportChanged(tx, viewer.scope, report.id, now);
      return changed;
    });
  }

  /**
   * Deletes a report for good, with its link and its schedule.
   * @throws DomainError report_not_found, template_report_read_only, insufficient_role.
   */
  async remove(viewer: ReportViewer, id: string): Promise<void> {
    const { scope } = viewer;
    await this.database.inScope(scope, async (tx) => {
      const report = await this.stored.findToChange(tx, viewer, id, 'change');
      await this.schedules.delete(tx, scope, report.id);
      await this.shares.delete(tx, scope, report.id);
      await this.reports.delete(tx, scope, report.id);
      await this.mail.stopped(tx, scope, report.id, this.clock.now());
      await this.recipients.forget(tx, scope, report.id, this.clock.now());
    });
  }

  /**
   * Makes a private report that shows what another shows, without its link and its schedule.
   * @throws DomainError report_not_found; invalid_field where the workspace is full of reports.
   */
  async duplicate(viewer: ReportViewer, id: string): Promise<ReportRecord> {
    return this.make(viewer, async (tx) => {
      const report = await this.stored.find(tx, viewer, id);
      return (making) => copyOfReport(report, making);
    });
  }

  private async make(
    { scope, memberId: createdBy }: ReportViewer,
    prepare: (tx: Transaction) => Promise<(making: Making) => Report>,
  ): Promise<ReportRecord> {
    return this.database.inScope(scope, async (tx) => {
      await this.reports.lockAll(tx, scope);
      const make = await prepare(tx);
      if ((await this.reports.countOwn(tx, scope)) >= MOST_REPORTS) throw isFull();
      const now = this.clock.now();
      const report = make({ id: uuidv7(now.getTime()), createdBy, now });
      await this.reports.insert(tx, scope, report);
      return { ...report, share: null, schedule: null };
    });
  }

  /** Whoever comes at the same time waits for those of the other, and makes none. */
  private async makeTemplates(scope: WorkspaceScope, now: Date): Promise<void> {
    const templates = templateReports(() => uuidv7(now.getTime()), now);
    await this.database.inScope(scope, (tx) => this.reports.insertTemplates(tx, scope, templates));
  }
}

/** What cannot be stored is in no report, and no text of PostgreSQL. */
function canFind({ search, createdBy }: ReportFilter): boolean {
  return (search === undefined || isStorableText(search)) && (createdBy === undefined || isUuid(createdBy));
}

function isFull(): Error {
  return invalidFields([
    {
      field: 'name',
      message: `a workspace can have at most ${MOST_REPORTS} reports: delete one to create another`,
    },
  ]);
}
