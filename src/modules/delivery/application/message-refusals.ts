/** What servers said of messages that they refused for good, for those who hear that these have failed. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { EmailLogRepository } from '../persistence/email-log.repository.js';

export interface MessageRefusal {
  readonly emailLogId: string;
  readonly contactId: string;
  readonly email: string;
  /** Such as `550 5.1.1 no such user`. */
  readonly answer: string;
}

@Injectable()
export class MessageRefusals {
  constructor(private readonly emailLogs: EmailLogRepository) {}

  /** Of these messages those that were refused; none whose person was erased. */
  async among(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<MessageRefusal[]> {
    const logs = await this.emailLogs.findMany(tx, scope, ids, false);
    return logs.flatMap(({ id: emailLogId, contactId, toEmail: email, errorCode, errorDetail: answer }) =>
      errorCode === 'rejected' && email !== null && answer !== null
        ? [{ emailLogId, contactId, email, answer }]
        : [],
    );
  }
}
