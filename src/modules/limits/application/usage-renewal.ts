/**
 * Resets a workspace's monthly counters when its billing period starts, sections 3.5 and 6.1 (subscription.renewed).
 */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { inEachEnvironment } from '../../../platform/database/environments.js';
import { monthOf } from '../domain/plan.js';
import { MonthlyEmailsRepository } from '../persistence/monthly-emails.repository.js';
import { MonthlyUsageRepository } from '../persistence/monthly-usage.repository.js';
import { CounterRenewal } from './counter-renewal.port.js';

@Injectable()
export class UsageRenewal {
  constructor(
    private readonly events: MonthlyUsageRepository,
    private readonly emails: MonthlyEmailsRepository,
    private readonly counters: CounterRenewal,
  ) {}

  /**
   * Resets events and emails of both environments to 0 for the rest of the calendar month, and the counters of other
   * modules.
   */
  async renew(tx: Transaction, workspace: WorkspaceScope, now: Date): Promise<void> {
    await inEachEnvironment(tx, workspace, async (scope) => {
      await this.events.reset(tx, scope, now);
      await this.emails.reset(tx, scope, monthOf(now), now);
    });
    await this.counters.renew(tx, workspace, now);
  }
}
