/** The messages of trips as those who explain trips read them, inside their transaction. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { EmailLog } from '../domain/email-log.js';
import { EmailLogRepository, type FailedOfStep } from '../persistence/email-log.repository.js';

/** A flow has far fewer steps. */
const MOST = 2_000;

@Injectable()
export class TripMessages {
  constructor(private readonly emailLogs: EmailLogRepository) {}

  /** The trips' messages and those that repeat them, in the order in which they were asked for. */
  async of(tx: Transaction, scope: TenantScope, tripIds: readonly string[]): Promise<EmailLog[]> {
    return tripIds.length === 0 ? [] : this.emailLogs.storyOfTrips(tx, scope, tripIds, MOST);
  }

  /** Messages of a step of a flow's trips that failed and certainly never left. */
  async failedOfStep(
    tx: Transaction,
    scope: TenantScope,
    which: FailedOfStep,
  ): Promise<{ readonly id: string; readonly tripId: string }[]> {
    return this.emailLogs.failedOfStep(tx, scope, which);
  }
}
