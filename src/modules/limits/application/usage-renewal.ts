/** Has a workspace's monthly counters begin anew when its billing period does, sections 3.5 and 6.1 (subscription.renewed). */
import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { monthOf } from '../domain/month.js';
import { MonthlyEmailsRepository } from '../persistence/monthly-emails.repository.js';
import { MonthlyUsageRepository } from '../persistence/monthly-usage.repository.js';

@Injectable()
export class UsageRenewal {
  constructor(
    private readonly events: MonthlyUsageRepository,
    private readonly emails: MonthlyEmailsRepository,
  ) {}

  /** Events and emails of both environments count from 0 again, until the calendar month ends; the transaction is moved to them. */
  async renew(tx: Transaction, { workspaceId }: WorkspaceScope, now: Date): Promise<void> {
    for (const environment of ENVIRONMENTS) {
      const scope = { workspaceId, environment };
      await tx.enter(scope);
      await this.events.reset(tx, scope, now);
      await this.emails.reset(tx, scope, monthOf(now), now);
    }
  }
}
