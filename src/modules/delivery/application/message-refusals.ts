/** What servers said of messages that they refused for good, for those who hear that these have failed. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { EmailLogRepository, type MessageRefusal } from '../persistence/email-log.repository.js';

@Injectable()
export class MessageRefusals {
  constructor(private readonly emailLogs: EmailLogRepository) {}

  /** Of these messages those that were refused; none whose person was erased. */
  async among(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<MessageRefusal[]> {
    return this.emailLogs.refusals(tx, scope, ids);
  }
}
