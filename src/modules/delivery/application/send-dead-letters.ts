/**
 * Dead letters of the send queue. A message that becomes a dead letter has failed by a fault of the product, and is
 * sent under its Message-ID after it is requeued. Or its outcome is unknown, and only a person who knows this sends it
 * again. Work that waits for its outcome continues in either case.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import type { WorkQueue } from '../../dead-letters/application/work-queue.js';
import { MessageQueueRepository } from '../persistence/message-queue.repository.js';
import { SettledMessages } from './settled-messages.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

@Injectable()
export class SendDeadLetters implements WorkQueue {
  readonly kind = 'send';
  readonly wakeUp = WAKE_UPS.sends;

  constructor(
    private readonly queue: MessageQueueRepository,
    private readonly settled: SettledMessages,
    private readonly listener: SettledMessagesListener,
  ) {}

  async dequeue(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    const states = await this.queue.markDeadLetter(tx, scope, id, now);
    // The outcome is final, so its announcement is not retried.
    await this.settled.announceIndividually(tx, scope, states, { now, mayRetry: false });
    return states.length > 0;
  }

  async requeue(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    const queued = await this.queue.requeueDeadLetter(tx, scope, id, now);
    await this.listener.handle(tx, scope, queued, now);
    return queued.length > 0;
  }
}
