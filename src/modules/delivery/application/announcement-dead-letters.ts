/**
 * Dead letters for messages whose outcome is stored but whose announcement failed. So the ledger has the true outcome,
 * even if a listener fails. Requeueing such a dead letter announces the outcome again, immediately.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import type { WorkQueue } from '../../dead-letters/application/work-queue.js';
import { isSettled } from '../domain/email-log-transitions.js';
import { MessageQueueRepository } from '../persistence/message-queue.repository.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

@Injectable()
export class AnnouncementDeadLetters implements WorkQueue {
  readonly kind = 'settled_send';
  readonly wakeUp = WAKE_UPS.sends;

  constructor(
    private readonly queue: MessageQueueRepository,
    private readonly listener: SettledMessagesListener,
  ) {}

  /** These messages are in no queue. Only the dead-letter list has them. */
  dequeue(): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** A message that is being sent again is announced when its outcome is known. */
  async requeue(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    const state = await this.queue.stateOf(tx, scope, id);
    if (!state || !isSettled(state.status)) return false;
    await this.listener.handle(tx, scope, [state], now);
    return true;
  }
}
