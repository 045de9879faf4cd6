/**
 * How due schedules leave the queue and return to it. A dead-lettered schedule is due no more until a person requeues
 * it.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkQueue } from '../../set-aside/application/work-queue.js';
import { ReportMailingRepository } from '../persistence/report-mailing.repository.js';
import { REPORTS_BELL } from '../queue/reports.jobs.js';

@Injectable()
export class DueSchedules implements WorkQueue {
  readonly kind = 'report_schedule';
  readonly bell = REPORTS_BELL;

  constructor(private readonly mailings: ReportMailingRepository) {}

  takeOut(tx: Transaction, scope: TenantScope, id: string): Promise<boolean> {
    return this.mailings.lookAt(tx, scope, id, null);
  }

  async defer(tx: Transaction, scope: TenantScope, id: string, until: Date): Promise<void> {
    await this.mailings.lookAt(tx, scope, id, until);
  }

  /** A date that has passed in the meantime is processed now. */
  putBack(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.mailings.lookAt(tx, scope, id, now);
  }
}
