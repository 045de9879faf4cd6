/**
 * Marks the message whose unsubscribe link was used. Reports of the mail provider do not count as the recipient's
 * choice.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PreferenceChangesListener } from '../../preferences/application/preference-changes.listener.js';
import { optOutsByLink, type PreferenceChange } from '../../preferences/domain/preference-change.js';
import { EngagementRepository } from '../persistence/engagement.repository.js';

@Injectable()
export class UnsubscribedMessages extends PreferenceChangesListener {
  constructor(private readonly messages: EngagementRepository) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    changes: readonly PreferenceChange[],
    now: Date,
  ): Promise<void> {
    const ids = optOutsByLink(changes).map(({ messageId }) => messageId);
    if (ids.length > 0) await this.messages.markUnsubscribed(tx, scope, ids, now);
  }
}
