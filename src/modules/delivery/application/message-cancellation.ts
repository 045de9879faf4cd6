/** Cancels messages that are no longer wanted, and announces it. */
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

  /** Cancels the messages of these origins for which no attempt is in progress. */
  async cancel(
    tx: Transaction,
    scope: TenantScope,
    origin: EmailOriginKind,
    originIds: readonly string[],
    now: Date,
  ): Promise<void> {
    const cancelled = await this.queue.cancelQueued(tx, scope, origin, originIds, now);
    await this.listener.handle(tx, scope, cancelled, now);
  }

  /** Cancels messages that the transaction has just claimed. */
  async cancelClaimed(
    tx: Transaction,
    scope: TenantScope,
    claimed: readonly { readonly id: string; readonly chargedBefore: Date | null }[],
    now: Date,
  ): Promise<void> {
    const cancelled = await this.queue.cancelClaimed(tx, scope, claimed, now);
    await this.listener.handle(tx, scope, cancelled, now);
  }
}
