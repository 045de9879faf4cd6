/** The schedules of reports: one per report. */
import { Injectable } from '@nestjs/common';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { nextCheckOf } from '../domain/schedule-change.js';
import type { DateRangeType, Frequency, ReportSchedule } from '../domain/schedule.js';
import { formatOf, toStoredFormat, type StoredFormat } from '../domain/stored-report.js';
import { ReportScheduleEntity } from './report-schedule.entity.js';

@Injectable()
export class ReportScheduleRepository {
  /** Returns the schedule of a report, locked until the transaction ends. */
  async lock(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    reportId: string,
  ): Promise<ReportSchedule | undefined> {
    const row = await tx.manager.findOne(ReportScheduleEntity, {
      where: { workspaceId, reportId },
      lock: { mode: 'pessimistic_write' },
    });
    return row ? recordOf(row) : undefined;
  }

  /** Stores a new schedule in the environment. @returns false if the report already has one. */
  async insert(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    schedule: ReportSchedule,
  ): Promise<boolean> {
    const inserted: { raw: unknown } = await tx.manager
      .createQueryBuilder()
      .insert()
      .into(ReportScheduleEntity)
      .values({ ...rowOf(schedule), workspaceId, environment })
      .orIgnore()
      .returning(['reportId'])
      .execute();
    // TypeORM reports what it tried to insert, whether or not it did; the raw result shows what was inserted.
    return (inserted.raw as readonly unknown[]).length > 0;
  }

  /** Stores a schedule that was read with a lock; it keeps its environment. */
  async store(tx: Transaction, { workspaceId }: WorkspaceScope, schedule: ReportSchedule): Promise<void> {
    const { reportId, createdAt: _at, lastSentAt: _sent, ...changing } = rowOf(schedule);
    await tx.manager.update(ReportScheduleEntity, { workspaceId, reportId }, changing);
  }

  /** @returns whether a schedule existed. */
  async delete(tx: Transaction, { workspaceId }: WorkspaceScope, reportId: string): Promise<boolean> {
    const { affected } = await tx.manager.delete(ReportScheduleEntity, { workspaceId, reportId });
    return affected === 1;
  }
}

function rowOf(schedule: ReportSchedule) {
  const format: StoredFormat = toStoredFormat(schedule.formatOptions);
  return {
    ...schedule,
    recipients: [...schedule.recipients],
    formatOptions: { ...format },
    lookAt: nextCheckOf(schedule),
  };
}

function recordOf(row: ReportScheduleEntity): ReportSchedule {
  const { reportId, dayOfWeek, dayOfMonth, hour, timezone, recipients, isActive } = row;
  const { nextSendAt, lastSentAt, createdAt, updatedAt } = row;
  return {
    ...{ reportId, dayOfWeek, dayOfMonth, hour, timezone, recipients, isActive },
    ...{ nextSendAt, lastSentAt, createdAt, updatedAt },
    frequency: row.frequency as Frequency,
    dateRangeType: row.dateRangeType as DateRangeType,
    formatOptions: formatOf(row.formatOptions),
  };
}
