/** Counts events toward the monthly cap, section 8.2, in the transaction that uses them. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { MonthlyUsageRepository } from '../persistence/monthly-usage.repository.js';

@Injectable()
export class MonthlyUsage {
  constructor(private readonly usage: MonthlyUsageRepository) {}

  /**
   * Takes as much as the cap allows. Concurrent callers for the same month wait until this transaction ends, so that
   * the cap is exact.
   * @returns how many of the wanted events are granted, and how many were used before.
   */
  async consume(
    tx: Transaction,
    scope: TenantScope,
    count: number,
    maximum: number,
    now: Date,
  ): Promise<{ granted: number; used: number }> {
    const used = await this.usage.lock(tx, scope, now);
    const granted = Math.max(0, Math.min(count, maximum - used));
    if (granted > 0) await this.usage.add(tx, scope, granted, now);
    return { granted, used };
  }

  /** Returns the committed usage of the month. */
  async used(tx: Transaction, scope: TenantScope, now: Date): Promise<number> {
    return this.usage.used(tx, scope, now);
  }

  /** Adds usage that needs no check: on a plan without a cap, or already granted. */
  async add(tx: Transaction, scope: TenantScope, amount: number, now: Date): Promise<void> {
    await this.usage.add(tx, scope, amount, now);
  }
}
