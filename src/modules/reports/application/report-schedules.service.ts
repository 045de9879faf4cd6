/**
 * When a report is mailed, and to whom, sections 3.4 and 4.4. Changes only records; a worker processes due schedules.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import type { ReportViewer } from '../domain/report-access.js';
import {
  changedSchedule,
  newSchedule,
  pausedSchedule,
  resumedSchedule,
  type NewSchedule,
  type ScheduleChange,
} from '../domain/schedule-change.js';
import { addedRecipients } from '../domain/report-email-limits.js';
import type { ReportSchedule } from '../domain/schedule.js';
import { ReportScheduleRepository } from '../persistence/report-schedule.repository.js';
import { ScheduleChanges } from './schedule-changes.js';
import { ScheduleRecipients, type RecipientState } from './schedule-recipients.js';
import { StoredReports } from './stored-reports.js';

@Injectable()
export class ReportSchedules {
  constructor(
    private readonly database: Database,
    private readonly schedules: ReportScheduleRepository,
    private readonly reports: StoredReports,
    private readonly scheduleChanges: ScheduleChanges,
    private readonly recipients: ScheduleRecipients,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates the schedule of a report. It sends data of the viewer's environment.
   * @throws DomainError report_not_found, template_report_read_only, insufficient_role, schedule_exists; invalid_field
   *   for a day that does not belong to the frequency.
   */
  async create(viewer: ReportViewer, id: string, input: NewSchedule): Promise<ReportSchedule> {
    return this.database.inScope(viewer.scope, async (tx) => {
      const report = await this.reports.findToChange(tx, viewer, id, 'stay');
      const schedule = newSchedule(report.id, input, this.clock.now());
      if (!(await this.schedules.insert(tx, viewer.scope, schedule)))
        throw new DomainError(
          'schedule_exists',
          'The report already has a schedule: update it, or delete it first.',
        );
      const { recipients } = schedule;
      await this.recipients.requestConfirmations(
        tx,
        viewer.scope,
        report,
        recipients,
        recipients,
        schedule.createdAt,
      );
      return schedule;
    });
  }

  /**
   * Returns the schedule of a report that the viewer can see.
   * @throws DomainError report_not_found, schedule_not_found.
   */
  async get(viewer: ReportViewer, id: string): Promise<ReportSchedule> {
    return this.database.inScope(viewer.scope, async (tx) => {
      const { schedule } = await this.reports.find(tx, viewer, id);
      if (!schedule) throw unknownSchedule();
      return schedule;
    });
  }

  /**
   * Changes a schedule and recomputes its next date; a paused schedule stays paused.
   * @throws DomainError as `pause`; invalid_field for a day that does not belong to the frequency.
   */
  async update(viewer: ReportViewer, id: string, change: ScheduleChange): Promise<ReportSchedule> {
    return this.change(viewer, id, (schedule, now) => changedSchedule(schedule, change, now));
  }

  /**
   * Pauses a schedule until it is resumed.
   * @throws DomainError report_not_found, template_report_read_only, insufficient_role, schedule_not_found.
   */
  async pause(viewer: ReportViewer, id: string): Promise<ReportSchedule> {
    return this.change(viewer, id, pausedSchedule);
  }

  /**
   * Resumes a schedule at its next date. Missed dates are skipped.
   * @throws DomainError as `pause`.
   */
  async resume(viewer: ReportViewer, id: string): Promise<ReportSchedule> {
    return this.change(viewer, id, resumedSchedule);
  }

  /**
   * Deletes a report's schedule.
   * @throws DomainError as `pause`.
   */
  async remove(viewer: ReportViewer, id: string): Promise<void> {
    await this.database.inScope(viewer.scope, async (tx) => {
      const report = await this.reports.findToChange(tx, viewer, id, 'stay');
      if (!(await this.schedules.delete(tx, viewer.scope, report.id))) throw unknownSchedule();
      await this.scheduleChanges.stopped(tx, viewer.scope, report.id, this.clock.now());
    });
  }

  /** Returns the states of the recipients of schedules that the viewer can see, in the order of their lists. */
  async recipientStates(
    scope: TenantScope,
    schedules: readonly Pick<ReportSchedule, 'reportId' | 'recipients'>[],
  ): Promise<(readonly RecipientState[])[]> {
    return this.database.inScope(scope, (tx) => this.recipients.statesOf(tx, scope, schedules));
  }

  private async change(
    viewer: ReportViewer,
    id: string,
    next: (schedule: ReportSchedule, now: Date) => ReportSchedule,
  ): Promise<ReportSchedule> {
    return this.database.inScope(viewer.scope, async (tx) => {
      const report = await this.reports.findToChange(tx, viewer, id, 'stay');
      const schedule = await this.schedules.lock(tx, viewer.scope, report.id);
      if (!schedule) throw unknownSchedule();
      const now = this.clock.now();
      const changed = next(schedule, now);
      await this.schedules.store(tx, viewer.scope, changed);
      const added = addedRecipients(schedule.recipients, changed.recipients);
      if (added.length > 0)
        await this.recipients.requestConfirmations(tx, viewer.scope, report, changed.recipients, added, now);
      if (changed.isActive) await this.scheduleChanges.changed(tx, viewer.scope, report.id);
      else await this.scheduleChanges.stopped(tx, viewer.scope, report.id, now);
      return changed;
    });
  }
}

function unknownSchedule(): DomainError {
  return new DomainError('schedule_not_found', 'The report has no schedule.');
}
