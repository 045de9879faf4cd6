/** The ledger as those use it who hear what became of messages after they left. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { EmailLog } from '../domain/email-log.js';
import type { Engagement } from '../domain/engagement.js';
import { EmailLogRepository } from '../persistence/email-log.repository.js';
import {
  EngagementRepository,
  type MessageTenant,
  type ToldMessage,
} from '../persistence/engagement.repository.js';
import { SettledMessages } from './settled-messages.js';

@Injectable()
export class MessageEngagement {
  constructor(
    private readonly emailLogs: EmailLogRepository,
    private readonly engagements: EngagementRepository,
    private readonly settled: SettledMessages,
  ) {}

  /** Whose these messages are; those that nobody has are left out. */
  async tenantsOf(ids: readonly string[]): Promise<MessageTenant[]> {
    return this.engagements.tenantsOf(ids);
  }

  /** The messages, in the order of their ids, locked until the transaction ends. */
  async lock(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<EmailLog[]> {
    return this.emailLogs.findMany(tx, scope, ids, true);
  }

  /** Stores what became of messages that are locked. */
  async store(
    tx: Transaction,
    scope: TenantScope,
    changes: readonly { readonly id: string; readonly engagement: Engagement }[],
  ): Promise<void> {
    await this.engagements.store(tx, scope, changes);
  }

  /**
   * Word has come of messages of which it was not known whether they left: they are sent, and whoever waits for their fate
   * hears so. Of others nothing changes.
   */
  async proveSent(tx: Transaction, scope: TenantScope, ids: readonly string[], now: Date): Promise<void> {
    const states = await this.engagements.proveSent(tx, scope, ids, now);
    await this.settled.announceInAnyCase(tx, scope, states, { now, isPatient: true });
  }

  /** The latest sent messages of each of the contacts, at most `limit` of each, the latest first. */
  async latestOf(
    tx: Transaction,
    scope: TenantScope,
    contactIds: readonly string[],
    limit: number,
  ): Promise<ToldMessage[]> {
    return this.engagements.latestOf(tx, scope, contactIds, limit);
  }
}
