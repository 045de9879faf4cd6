/**
 * Counts emails toward the monthly cap, section 8.2, by environment and calendar month in UTC. A message is charged once:
 * when it is asked for by a request of a capped plan, else when it is taken in hand; one that is never sent nor suppressed
 * gives its charge back. A cap is exact, since whoever takes of it waits for whoever took before. All others add as the last
 * thing of their transactions, so that the month's row is locked for a moment only.
 */
import { Injectable } from '@nestjs/common';
import { scopeKey, type TenantScope } from '../../../kernel/tenant-scope.js';
import type { LastWork, Transaction } from '../../../platform/database/database.js';
import { monthOf } from '../domain/month.js';
import type { Plan } from '../domain/plan.js';
import { MonthlyEmailsRepository } from '../persistence/monthly-emails.repository.js';

/** Messages charged now, or one that is charged no more and was charged then. */
type Charge =
  | { readonly scope: TenantScope; readonly month: string; readonly added: number }
  | { readonly scope: TenantScope; readonly month: string; readonly givenBack: Date };

@Injectable()
export class MonthlyEmails implements LastWork<Charge> {
  /** Before all figures: whoever takes of a cap has locked the month before them, too. */
  readonly name = 'charged emails';

  constructor(private readonly emails: MonthlyEmailsRepository) {}

  /**
   * Charges as many messages as the plan allows. To be asked last, since under a cap whoever else sends for the tenant
   * waits until the transaction ends.
   * @returns how many of the wanted ones are granted, and how many were used before (0 for a plan without a cap).
   */
  async take(
    tx: Transaction,
    scope: TenantScope,
    { caps }: Plan,
    wanted: number,
    now: Date,
  ): Promise<{ readonly granted: number; readonly used: number }> {
    if (wanted <= 0) return { granted: 0, used: 0 };
    const month = monthOf(now);
    if (caps.emails === Number.POSITIVE_INFINITY) {
      tx.beforeCommit(this, [{ scope, month, added: wanted }]);
      return { granted: wanted, used: 0 };
    }
    const used = await this.emails.lock(tx, scope, month);
    const granted = Math.max(0, Math.min(wanted, caps.emails - used));
    if (granted > 0) await this.emails.add(tx, scope, granted, month);
    return { granted, used };
  }

  /** What has been used in the month, as far as committed, and when the month was renewed last; null where it was not. */
  async used(
    tx: Transaction,
    scope: TenantScope,
    now: Date,
  ): Promise<{ readonly used: number; readonly renewedAt: Date | null }> {
    return this.emails.used(tx, scope, monthOf(now));
  }

  /** Takes charges back, given by their moments. */
  giveBack(tx: Transaction, scope: TenantScope, chargedAt: readonly Date[]): void {
    tx.beforeCommit(
      this,
      chargedAt.map((moment) => ({ scope, month: monthOf(moment), givenBack: moment })),
    );
  }

  async store(tx: Transaction, charges: readonly Charge[]): Promise<void> {
    const rows = new Map<string, { scope: TenantScope; month: string; added: number; givenBack: Date[] }>();
    for (const charge of charges) {
      const { scope, month } = charge;
      const key = `${scopeKey(scope)} ${month}`;
      const row = rows.get(key) ?? { scope, month, added: 0, givenBack: [] };
      rows.set(key, row);
      if ('added' in charge) row.added += charge.added;
      else row.givenBack.push(charge.givenBack);
    }
    const ordered = [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    for (const { scope, month, added, givenBack } of ordered) {
      await tx.enter(scope);
      if (added > 0) await this.emails.add(tx, scope, added, month);
      if (givenBack.length > 0) await this.emails.giveBack(tx, scope, month, givenBack);
    }
  }
}
