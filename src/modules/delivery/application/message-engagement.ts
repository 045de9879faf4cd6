/** The ledger for the code that handles engagement with sent messages. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { EmailLog } from '../domain/email-log.js';
import type { Engagement } from '../domain/engagement.js';
import { EmailLogRepository } from '../persistence/email-log.repository.js';
import {
  EngagementRepository,
  type MessageTenant,
  type SentMessageSummary,
} from '../persistence/engagement.repository.js';
import { SettledMessages } from './settled-messages.js';

@Injectable()
export class MessageEngagement {
  constructor(
    private readonly emailLogs: EmailLogRepository,
    private readonly engagements: EngagementRepository,
    private readonly settled: SettledMessages,
  ) {}

  /** The tenants of messages. Messages that do not exist are left out. */
  async tenantsOf(ids: readonly string[]): Promise<MessageTenant[]> {
    return this.engagements.tenantsOf(ids);
  }

  /** The messages, in the order of their ids, locked until the transaction ends. */
  async lock(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<EmailLog[]> {
    return this.emailLogs.findMany(tx, scope, ids, true);
  }

  /** Stores the engagement of locked messages. */
  async store(
    tx: Transaction,
    scope: TenantScope,
    changes: readonly { readonly id: string; readonly engagement: Engagement }[],
  ): Promise<void> {
    await this.engagements.store(tx, scope, changes);
  }

  /**
   * Feedback proved that messages with an unknown outcome left: marks them as sent and announces it. Other messages do
   * not change.
   */
  async proveSent(tx: Transaction, scope: TenantScope, ids: readonly string[], now: Date): Promise<void> {
    const states = await this.engagements.proveSent(tx, scope, ids, now);
    await this.settled.announceIndividually(tx, scope, states, { now, mayRetry: true });
  }

  /** The latest sent messages of each contact, at most `limit` per contact, newest first. */
  async latestOf(
    tx: Transaction,
    scope: TenantScope,
    contactIds: readonly string[],
    limit: number,
  ): Promise<SentMessageSummary[]> {
    return this.engagements.latestOf(tx, scope, contactIds, limit);
  }
}
