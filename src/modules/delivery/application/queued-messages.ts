/**
 * How messages leave the ledger's queue, and come back. One that is set aside has failed, by the product's own mistake,
 * so that whoever waits for its fate goes on; put back, it goes out under its Message-ID.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkQueue } from '../../set-aside/application/work-queue.js';
import { EmailLogRepository } from '../persistence/email-log.repository.js';
import { SENDS_BELL } from '../queue/sends.jobs.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

@Injectable()
export class QueuedMessages implements WorkQueue {
  readonly kind = 'send';
  readonly bell = SENDS_BELL;

  constructor(
    private readonly emailLogs: EmailLogRepository,
    private readonly listener: SettledMessagesListener,
  ) {}

  async takeOut(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    const givenUp = await this.emailLogs.giveUp(tx, scope, id, now);
    await this.listener.hear(tx, scope, givenUp, now);
    return givenUp.length > 0;
  }

  async putBack(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<void> {
    const queued = await this.emailLogs.requeueGivenUp(tx, scope, id, now);
    await this.listener.hear(tx, scope, queued, now);
  }
}
