/**
 * How due schedules leave the queue and return to it. A dead-lettered schedule is due no more until a person requeues
 * it.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import type { WorkQueue } from '../../dead-letters/application/work-queue.js';
import { ReportMailingRepository } from '../persistence/report-mailing.repository.js';

@Injectable()
export class DueSchedules implements WorkQueue {
  readonly kind = 'report_schedule';
  readonly wakeUp = WAKE_UPS.reports;

  constructor(private readonly mailings: ReportMailingRepository) {}

  dequeue(tx: Transaction, scope: TenantScope, id: string): Promise<boolean> {
    return this.mailings.setNextCheck(tx, scope, id, null);
  }

  async defer(tx: Transaction, scope: TenantScope, id: string, until: Date): Promise<void> {
    await this.mailings.setNextCheck(tx, scope, id, until);
  }

  /** A date that has passed in the meantime is processed now. */
  requeue(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.mailings.setNextCheck(tx, scope, id, now);
  }
}
