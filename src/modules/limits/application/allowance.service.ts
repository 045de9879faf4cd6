/** Allowances of a workspace in sliding windows on the product's clock, exact under concurrency. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { type Allowance, useAllowance } from '../domain/allowance.js';
import { AllowanceRepository } from '../persistence/allowance.repository.js';

@Injectable()
export class AllowanceService {
  constructor(
    private readonly database: Database,
    private readonly allowances: AllowanceRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Uses part of an allowance, all or nothing.
   * @param requested 1 to the maximum of the allowance.
   * @throws DomainError rate_limit_exceeded with retry_after if not enough is left.
   */
  async use(scope: WorkspaceScope, allowance: Allowance, requested: number): Promise<void> {
    const { name, limit } = allowance;
    const workspace = { workspaceId: scope.workspaceId };
    const result = await this.database.inScope(workspace, async (tx) => {
      const uses = await this.allowances.lock(tx, workspace, name);
      // Read after acquiring the lock, so that uses are stored in order.
      const used = useAllowance(allowance, uses, requested, this.clock.now().getTime());
      if (used.kind === 'granted') await this.allowances.store(tx, workspace, name, used.uses);
      return used;
    });
    if (result.kind === 'granted') return;
    const { retryAfter } = result;
    throw new DomainError(
      'rate_limit_exceeded',
      `The limit of ${limit} ${name} per hour is reached: try again in ${retryAfter} s.`,
      { retry_after: retryAfter },
    );
  }
}
