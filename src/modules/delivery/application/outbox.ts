/** Where modules above put the messages that they want sent, in the transaction that decides it. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { NewEmailLog } from '../domain/email-log.js';
import { EmailLogRepository } from '../persistence/email-log.repository.js';

@Injectable()
export class Outbox {
  constructor(private readonly emailLogs: EmailLogRepository) {}

  /**
   * Queues messages, due at once. What has its message already gets no second one: see domain/email-origin. The caller
   * rings the bell of sends once the transaction is committed.
   */
  async put(tx: Transaction, scope: TenantScope, messages: readonly NewEmailLog[], now: Date): Promise<void> {
    await this.emailLogs.enqueue(tx, scope, messages, now);
  }
}
