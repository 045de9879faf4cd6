/** Calls off messages that nobody wants any more, and says so. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { EmailOriginKind } from '../domain/email-origin.js';
import { MessageQueueRepository } from '../persistence/message-queue.repository.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

@Injectable()
export class MessageCancellation {
  constructor(
    private readonly queue: MessageQueueRepository,
    private readonly listener: SettledMessagesListener,
  ) {}

  /** Calls off what these have asked for and no attempt is being made for. */
  async cancel(
    tx: Transaction,
    scope: TenantScope,
    origin: EmailOriginKind,
    originIds: readonly string[],
    now: Date,
  ): Promise<void> {
    const cancelled = await this.queue.cancelQueued(tx, scope, origin, originIds, now);
    await this.listener.hear(tx, scope, cancelled, now);
  }

  /** Calls off messages that the transaction has just taken in hand. */
  async cancelTaken(
    tx: Transaction,
    scope: TenantScope,
    taken: readonly { readonly id: string; readonly chargedBefore: Date | null }[],
    now: Date,
  ): Promise<void> {
    const cancelled = await this.queue.cancelTaken(tx, scope, taken, now);
    await this.listener.hear(tx, scope, cancelled, now);
  }
}
