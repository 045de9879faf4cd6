/**
 * How messages leave the ledger's queue, and come back. One that is set aside has failed by the product's own mistake,
 * and goes out under its Message-ID once it is put back; or its fate is unknown, and only whoever knows so sends it again.
 * Whoever waits for its fate goes on in either case.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkQueue } from '../../set-aside/application/work-queue.js';
import { MessageQueueRepository } from '../persistence/message-queue.repository.js';
import { SENDS_BELL } from '../queue/sends.jobs.js';
import { SettledMessages } from './settled-messages.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

@Injectable()
export class QueuedMessages implements WorkQueue {
  readonly kind = 'send';
  readonly bell = SENDS_BELL;

  constructor(
    private readonly queue: MessageQueueRepository,
    private readonly settled: SettledMessages,
    private readonly listener: SettledMessagesListener,
  ) {}

  async takeOut(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    const states = await this.queue.giveUp(tx, scope, id, now);
    // The message is at its end, so nothing that is to be told of it waits for another try.
    await this.settled.announceInAnyCase(tx, scope, states, { now, isPatient: false });
    return states.length > 0;
  }

  async putBack(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    const queued = await this.queue.requeueGivenUp(tx, scope, id, now);
    await this.listener.hear(tx, scope, queued, now);
    return queued.length > 0;
  }
}
