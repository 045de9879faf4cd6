/** Where modules above put the messages that they want sent, in the transaction that decides it. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { NewEmailLog, Recipient, SharedMessage } from '../domain/email-log.js';
import { MessageQueueRepository } from '../persistence/message-queue.repository.js';

@Injectable()
export class Outbox {
  constructor(private readonly queue: MessageQueueRepository) {}

  /**
   * Queues messages, due at once. What has its message already gets no second one: see domain/email-origin. The caller
   * rings the bell of sends once the transaction is committed.
   */
  async put(tx: Transaction, scope: TenantScope, messages: readonly NewEmailLog[], now: Date): Promise<void> {
    await this.queue.enqueue(tx, scope, messages, now);
  }

  /** The same of one message to many contacts, who differ in nothing else. */
  async putForEach(
    tx: Transaction,
    scope: TenantScope,
    message: SharedMessage,
    recipients: readonly Recipient[],
    now: Date,
  ): Promise<void> {
    await this.queue.enqueueForEach(tx, scope, message, recipients, now);
  }
}
