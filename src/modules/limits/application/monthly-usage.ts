/** Counts what is used of the monthly cap of events, section 8.2, in the transaction that uses it. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { MonthlyUsageRepository } from '../persistence/monthly-usage.repository.js';

@Injectable()
export class MonthlyUsage {
  constructor(private readonly usage: MonthlyUsageRepository) {}

  /**
   * Takes as much as the cap leaves; whoever else takes of the same month waits until this transaction ends, so that
   * exactly the cap is given out.
   * @returns how many of the wanted ones are granted, and how many were used before.
   */
  async take(
    tx: Transaction,
    scope: TenantScope,
    wanted: number,
    maximum: number,
    now: Date,
  ): Promise<{ granted: number; used: number }> {
    const used = await this.usage.lock(tx, scope, now);
    const granted = Math.max(0, Math.min(wanted, maximum - used));
    if (granted > 0) await this.usage.add(tx, scope, granted, now);
    return { granted, used };
  }

  /** What has been used in the month, as far as committed. */
  async used(tx: Transaction, scope: TenantScope, now: Date): Promise<number> {
    return this.usage.used(tx, scope, now);
  }

  /** Counts what needs no permission: a plan without a cap, or what has been granted already. */
  async add(tx: Transaction, scope: TenantScope, amount: number, now: Date): Promise<void> {
    await this.usage.add(tx, scope, amount, now);
  }
}
