/** Queues messages for higher modules, in the transaction that decides about them. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { NewEmailLog, Recipient, SharedMessage } from '../domain/email-log.js';
import { MessageQueueRepository } from '../persistence/message-queue.repository.js';

@Injectable()
export class Outbox {
  constructor(private readonly queue: MessageQueueRepository) {}

  /**
   * Queues messages, due immediately. If the origin already has its message, no second one is added: see
   * domain/email-origin. The caller wakes the sender after the commit.
   */
  async enqueue(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly NewEmailLog[],
    now: Date,
  ): Promise<void> {
    await this.queue.enqueue(tx, scope, messages, now);
  }

  /** Queues one message for many contacts. Only the contacts differ. */
  async enqueueForEach(
    tx: Transaction,
    scope: TenantScope,
    message: SharedMessage,
    recipients: readonly Recipient[],
    now: Date,
  ): Promise<void> {
    await this.queue.enqueueForEach(tx, scope, message, recipients, now);
  }
}
