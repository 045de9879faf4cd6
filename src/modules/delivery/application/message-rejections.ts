/** Servers' permanent rejections of messages, for the handlers of failed messages. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { EmailLogRepository, type MessageRejection } from '../persistence/email-log.repository.js';

@Injectable()
export class MessageRejections {
  constructor(private readonly emailLogs: EmailLogRepository) {}

  /** The rejected ones of these messages, without those whose contact was erased. */
  async among(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<MessageRejection[]> {
    return this.emailLogs.rejections(tx, scope, ids);
  }
}
