/** What is done to all messages of a campaign's instance, in stretches: put into the queue, held, let go, called off. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import type { CampaignStretch } from '../domain/campaign-stretch.js';
import type { Recipient, SharedMessage } from '../domain/email-log.js';
import {
  CampaignMessagesRepository,
  type WaitingMessage,
} from '../persistence/campaign-messages.repository.js';
import { SENDS_BELL } from '../queue/sends.jobs.js';
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

  /** Queues one message to many contacts, each due at its moment. */
  async put(
    tx: Transaction,
    scope: TenantScope,
    message: SharedMessage,
    recipients: readonly Recipient[],
    now: Date,
  ): Promise<void> {
    await this.outbox.putForEach(tx, scope, message, recipients, now);
    tx.afterCommit(() => this.dispatcher.ring(SENDS_BELL, scope));
  }

  /** The next messages that wait, in the order of their contacts, kept as they are until the transaction ends. */
  async waiting(
    tx: Transaction,
    scope: TenantScope,
    instanceId: string,
    stretch: CampaignStretch,
  ): Promise<WaitingMessage[]> {
    return this.messages.waiting(tx, scope, instanceId, stretch);
  }

  /** Has them wait until they are let go. */
  async hold(tx: Transaction, scope: TenantScope, ids: readonly string[], now: Date): Promise<void> {
    if (ids.length > 0) await this.messages.hold(tx, scope, ids, now);
  }

  /** Lets them go, each at its moment. */
  async release(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly { readonly id: string; readonly at: Date }[],
    now: Date,
  ): Promise<void> {
    if (messages.length === 0) return;
    await this.messages.release(tx, scope, messages, now);
    tx.afterCommit(() => this.dispatcher.ring(SENDS_BELL, scope));
  }

  /** Calls them off, and says so. */
  async cancel(tx: Transaction, scope: TenantScope, ids: readonly string[], now: Date): Promise<void> {
    if (ids.length === 0) return;
    const cancelled = await this.messages.cancel(tx, scope, ids, now);
    await this.listener.hear(tx, scope, cancelled, now);
  }
}
