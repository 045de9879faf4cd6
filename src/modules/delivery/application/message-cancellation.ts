/** Calls off messages that nobody wants any more, and says so. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { EmailLogRepository } from '../persistence/email-log.repository.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

@Injectable()
export class MessageCancellation {
  constructor(
    private readonly emailLogs: EmailLogRepository,
    private readonly listener: SettledMessagesListener,
  ) {}

  /** Calls off the messages of trips that no attempt is being made for. */
  async ofTrips(tx: Transaction, scope: TenantScope, tripIds: readonly string[], now: Date): Promise<void> {
    const cancelled = await this.emailLogs.cancelQueued(tx, scope, tripIds, now);
    await this.listener.hear(tx, scope, cancelled, now);
  }
}
