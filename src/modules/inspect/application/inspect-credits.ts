/**
 * The cost of full runs (section 8.2): one credit for each version of a template, charged once; a run that fails
 * refunds it. Credits are charged and refunded in the transaction that stores the run, under a lock of the workspace,
 * so that the plan's cap is exact.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { monthOf, limitReached, type Plan } from '../../limits/domain/plan.js';
import { balanceOf, type CreditBalance, type CreditEntry } from '../domain/runs/credits.js';
import type { NewInspectJob } from '../domain/runs/inspect-job.js';
import { MAX_LEDGER_ENTRIES } from '../domain/runs/run-bounds.js';
import { InspectCreditRepository } from '../persistence/inspect-credit.repository.js';
import { InspectJobRepository } from '../persistence/inspect-job.repository.js';

export type CreditAccount = CreditBalance & { readonly ledger: readonly CreditEntry[] };

type PaidRun = Pick<NewInspectJob, 'id' | 'templateId' | 'templateSlug' | 'templateVersion'>;

@Injectable()
export class InspectCredits {
  constructor(
    private readonly database: Database,
    private readonly credits: InspectCreditRepository,
    private readonly jobs: InspectJobRepository,
    private readonly clock: Clock,
  ) {}

  /** The remaining credits of the month, and the latest entries of the ledger. */
  async account(scope: WorkspaceScope, plan: Plan): Promise<CreditAccount> {
    return this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      const used = await this.credits.used(tx, scope, monthOf(now));
      const ledger = await this.credits.ledger(tx, scope, MAX_LEDGER_ENTRIES);
      return { ...balanceOf(plan.caps.inspect_credits, used, now), ledger };
    });
  }

  /**
   * Charges the credit of a full run, unless its version is already paid.
   * @returns the number of credits charged.
   * @throws DomainError plan_limit_reached when none is left.
   */
  async charge(tx: Transaction, scope: WorkspaceScope, plan: Plan, run: PaidRun, now: Date): Promise<0 | 1> {
    const month = monthOf(now);
    const used = await this.credits.lock(tx, scope, month);
    if (await this.credits.isPaid(tx, scope, run.templateId, run.templateVersion)) return 0;
    if (used >= plan.caps.inspect_credits) throw limitReached('inspect_credits', used, plan);
    await this.credits.charge(tx, scope, month, entryOf(run, 'full_run'), now);
    return 1;
  }

  /** Locks the workspace's credits: requests for runs and refunds wait. Must be taken before any lock of a run. */
  async lock(tx: Transaction, scope: WorkspaceScope): Promise<void> {
    await this.jobs.lockRequests(tx, scope);
  }

  /**
   * Settles the charge of a run that failed or was deleted with its template, under `lock`. The charge moves to another
   * full run of the version that is in progress. It stays if one has completed. Otherwise it is refunded to the month
   * that it was taken from, unless that month has been renewed meanwhile.
   */
  async settle(tx: Transaction, scope: WorkspaceScope, run: PaidRun, now: Date): Promise<void> {
    if (await this.jobs.moveCharge(tx, scope, run)) return;
    if (await this.jobs.hasCompleted(tx, scope, run)) return;
    const takenAt = await this.credits.takenAt(tx, scope, run.templateId, run.templateVersion);
    if (!takenAt) return;
    const charge = { month: monthOf(takenAt), takenAt };
    await this.credits.refund(tx, scope, charge, entryOf(run, 'failed_run'), now);
  }
}

function entryOf(
  { id, templateId, templateSlug, templateVersion }: PaidRun,
  reason: CreditEntry['reason'],
): Pick<CreditEntry, 'reason' | 'jobId' | 'templateSlug' | 'templateVersion'> & { templateId: string } {
  return { reason, jobId: id, templateId, templateSlug, templateVersion };
}
