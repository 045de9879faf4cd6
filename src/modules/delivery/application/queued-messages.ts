/**
 * Dead letters of the send queue. A message that becomes a dead letter has failed by a fault of the product, and is
 * sent under its Message-ID after it is requeued. Or its outcome is unknown, and only a person who knows this sends it
 * again. Work that waits for its outcome continues in either case.
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
    // The outcome is final, so its announcement is not retried.
    await this.settled.announceInAnyCase(tx, scope, states, { now, isPatient: false });
    return states.length > 0;
  }

  async putBack(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    const queued = await this.queue.requeueGivenUp(tx, scope, id, now);
    await this.listener.hear(tx, scope, queued, now);
    return queued.length > 0;
  }
}
