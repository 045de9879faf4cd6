/** Keeps count of what became of messages, as the last thing before the commit: all batches of a source want the same row. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { LastWork, Transaction } from '../../../platform/database/database.js';
import { summedChanges } from '../domain/engagement-tally.js';
import { EngagementHourRepository } from '../persistence/engagement-hour.repository.js';
import { EmailEngagementListener, type EngagedMessage } from './email-engagement.listener.js';

interface OfTenant {
  readonly scope: TenantScope;
  readonly message: EngagedMessage;
}

@Injectable()
export class EngagementTallies extends EmailEngagementListener implements LastWork<OfTenant> {
  readonly name = 'engagement tallies';

  constructor(private readonly hours: EngagementHourRepository) {
    super();
  }

  override async hear(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly EngagedMessage[],
  ): Promise<void> {
    tx.beforeCommit(
      this,
      messages.map((message) => ({ scope, message })),
    );
    await Promise.resolve();
  }

  /** Word is worked on in transactions of one environment each. */
  async store(tx: Transaction, items: readonly OfTenant[]): Promise<void> {
    const [first] = items;
    if (first) await this.hours.add(tx, first.scope, summedChanges(items.map(({ message }) => message)));
  }
}
