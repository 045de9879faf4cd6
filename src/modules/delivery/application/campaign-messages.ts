/** Operations on all messages of a campaign instance, in chunks: enqueue, hold, release, cancel. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import type { CampaignChunk } from '../domain/campaign-chunk.js';
import type { Recipient, SharedMessage } from '../domain/email-log.js';
import {
  CampaignMessagesRepository,
  type WaitingMessage,
} from '../persistence/campaign-messages.repository.js';
import { Outbox } from './outbox.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

@Injectable()
export class CampaignMessages {
  constructor(
    private readonly outbox: Outbox,
    private readonly messages: CampaignMessagesRepository,
    private readonly listener: SettledMessagesListener,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** Queues one message to many contacts, each due at its own time. */
  async enqueue(
    tx: Transaction,
    scope: TenantScope,
    message: SharedMessage,
    recipients: readonly Recipient[],
    now: Date,
  ): Promise<void> {
    await this.outbox.enqueueForEach(tx, scope, message, recipients, now);
    tx.afterCommit(() => this.dispatcher.wake(WAKE_UPS.sends, scope));
  }

  /** The next queued messages, in the order of their contacts, locked until the transaction ends. */
  async waiting(
    tx: Transaction,
    scope: TenantScope,
    instanceId: string,
    chunk: CampaignChunk,
  ): Promise<WaitingMessage[]> {
    return this.messages.waiting(tx, scope, instanceId, chunk);
  }

  /** Holds messages until they are released. */
  async hold(tx: Transaction, scope: TenantScope, ids: readonly string[], now: Date): Promise<void> {
    if (ids.length > 0) await this.messages.hold(tx, scope, ids, now);
  }

  /** Releases messages, each at its own time. */
  async release(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly { readonly id: string; readonly at: Date }[],
    now: Date,
  ): Promise<void> {
    if (messages.length === 0) return;
    await this.messages.release(tx, scope, messages, now);
    tx.afterCommit(() => this.dispatcher.wake(WAKE_UPS.sends, scope));
  }

  /** Cancels messages and announces it. */
  async cancel(tx: Transaction, scope: TenantScope, ids: readonly string[], now: Date): Promise<void> {
    if (ids.length === 0) return;
    const cancelled = await this.messages.cancel(tx, scope, ids, now);
    await this.listener.handle(tx, scope, cancelled, now);
  }
}
