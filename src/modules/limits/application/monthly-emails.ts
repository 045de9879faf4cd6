/**
 * Counts emails toward the monthly cap, section 8.2, by environment and UTC calendar month. A message is charged once:
 * on a capped plan when it is requested, otherwise when it is claimed. A message that is neither sent nor suppressed is
 * refunded. Caps are exact, since callers under a cap wait for each other. All other charges are added at the end of
 * their transactions, so that the month's row is locked only briefly.
 */
import { Injectable } from '@nestjs/common';
import { scopeKey, type TenantScope } from '../../../kernel/tenant-scope.js';
import type { BeforeCommitWork, Transaction } from '../../../platform/database/database.js';
import { monthOf, type Plan } from '../domain/plan.js';
import { MonthlyEmailsRepository } from '../persistence/monthly-emails.repository.js';

/** New charges, or the refund of a message that was charged earlier. */
type Charge =
  | { readonly scope: TenantScope; readonly month: string; readonly added: number }
  | { readonly scope: TenantScope; readonly month: string; readonly refundOf: Date };

@Injectable()
export class MonthlyEmails implements BeforeCommitWork<Charge> {
  /** Sorts before all metrics: callers under a cap lock the month before them, too. */
  readonly name = 'charged emails';

  constructor(private readonly emails: MonthlyEmailsRepository) {}

  /**
   * Charges as many messages as the plan allows. Call it last, since under a cap, other senders of the tenant wait
   * until the transaction ends.
   * @returns how many of the wanted messages are granted, and how many were used before (0 for a plan without a cap).
   */
  async charge(
    tx: Transaction,
    scope: TenantScope,
    { caps }: Plan,
    count: number,
    now: Date,
  ): Promise<{ readonly granted: number; readonly used: number }> {
    if (count <= 0) return { granted: 0, used: 0 };
    const month = monthOf(now);
    if (caps.emails === Number.POSITIVE_INFINITY) {
      tx.beforeCommit(this, [{ scope, month, added: count }]);
      return { granted: count, used: 0 };
    }
    const used = await this.emails.lock(tx, scope, month);
    const granted = Math.max(0, Math.min(count, caps.emails - used));
    if (granted > 0) await this.emails.add(tx, scope, granted, month);
    return { granted, used };
  }

  /** Returns the committed usage of the month, and when the month was last reset; null if it never was. */
  async used(
    tx: Transaction,
    scope: TenantScope,
    now: Date,
  ): Promise<{ readonly used: number; readonly renewedAt: Date | null }> {
    return this.emails.used(tx, scope, monthOf(now));
  }

  /** Refunds charges, given by their timestamps. */
  refund(tx: Transaction, scope: TenantScope, chargedAt: readonly Date[]): void {
    tx.beforeCommit(
      this,
      chargedAt.map((moment) => ({ scope, month: monthOf(moment), refundOf: moment })),
    );
  }

  async store(tx: Transaction, charges: readonly Charge[]): Promise<void> {
    const rows = new Map<string, { scope: TenantScope; month: string; added: number; refunds: Date[] }>();
    for (const charge of charges) {
      const { scope, month } = charge;
      const key = `${scopeKey(scope)} ${month}`;
      const row = rows.get(key) ?? { scope, month, added: 0, refunds: [] };
      rows.set(key, row);
      if ('added' in charge) row.added += charge.added;
      else row.refunds.push(charge.refundOf);
    }
    const ordered = [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    for (const { scope, month, added, refunds } of ordered) {
      await tx.enter(scope);
      if (added > 0) await this.emails.add(tx, scope, added, month);
      if (refunds.length > 0) await this.emails.refund(tx, scope, month, refunds);
    }
  }
}
