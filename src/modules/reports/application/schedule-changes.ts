/** Updates pending mail when users change, stop or delete a schedule or its report, in the same transaction. */
import { Injectable } from '@nestjs/common';
import { nextRun } from '../../../kernel/recurrence.js';
import { ENVIRONMENTS, type TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Notices } from '../../notices/application/notices.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import { repetitionOf } from '../domain/schedule.js';
import { ReportEmailRepository } from '../persistence/report-email.repository.js';
import { ReportMailingRepository } from '../persistence/report-mailing.repository.js';
import { DueSchedules } from './due-schedules.js';

@Injectable()
export class ScheduleChanges {
  constructor(
    private readonly mailings: ReportMailingRepository,
    private readonly reportEmails: ReportEmailRepository,
    private readonly notices: Notices,
    private readonly deadLetters: DeadLetterList,
    private readonly queue: DueSchedules,
  ) {}

  /** A schedule was paused or deleted, or its report was: mail that has not been sent is cancelled. */
  async stopped(tx: Transaction, scope: TenantScope, reportId: string, now: Date): Promise<void> {
    await this.notices.withdraw(tx, scope, reportId, now);
    await this.inEachEnvironment(tx, scope, async (each) => {
      await this.reportEmails.deleteOf(tx, each, reportId);
      await this.deadLetters.remove(tx, each, this.queue.kind, [reportId]);
    });
  }

  /** A schedule was changed or resumed, and stored with its next date: this may have fixed what prevented its mail. */
  async changed(tx: Transaction, scope: TenantScope, reportId: string): Promise<void> {
    await this.inEachEnvironment(tx, scope, (each) =>
      this.deadLetters.remove(tx, each, this.queue.kind, [reportId]),
    );
  }

  /** A report was changed: if its schedule was dead-lettered, it is mailed again from its next date on. */
  async reportChanged(tx: Transaction, scope: TenantScope, reportId: string, now: Date): Promise<void> {
    const schedule = await this.mailings.findDeadLettered(tx, scope, reportId);
    if (!schedule) return;
    const nextSendAt = nextRun(repetitionOf(schedule), now);
    await this.mailings.advance(tx, scope, reportId, { nextSendAt, lastSentAt: null, checkAt: nextSendAt });
    await this.changed(tx, scope, reportId);
  }

  /** A schedule keeps the environment in which it was created, but users change it from both. */
  private async inEachEnvironment(
    tx: Transaction,
    scope: TenantScope,
    work: (scope: TenantScope) => Promise<void>,
  ): Promise<void> {
    for (const environment of ENVIRONMENTS) {
      const each = { ...scope, environment };
      await tx.enter(each);
      await work(each);
    }
    await tx.enter(scope);
  }
}
