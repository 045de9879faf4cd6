/**
 * How messages leave the ledger's queue, and come back. One that is set aside has failed by the product's own mistake,
 * and goes out under its Message-ID once it is put back; or its fate is unknown, and only whoever knows so sends it again.
 * Whoever waits for its fate goes on in either case.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkQueue } from '../../set-aside/application/work-queue.js';
import { EmailLogRepository } from '../persistence/email-log.repository.js';
import { SENDS_BELL } from '../queue/sends.jobs.js';
import { SettledMessages } from './settled-messages.js';

@Injectable()
export class QueuedMessages implements WorkQueue {
  readonly kind = 'send';
  readonly bell = SENDS_BELL;

  constructor(
    private readonly emailLogs: EmailLogRepository,
    private readonly settled: SettledMessages,
  ) {}

  async takeOut(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    const states = await this.emailLogs.giveUp(tx, scope, id, now);
    await this.settled.announceInAnyCase(tx, scope, states, now);
    return states.length > 0;
  }

  putBack(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.emailLogs.requeueGivenUp(tx, scope, id, now);
  }
}
