/** The request rates that the operator sets for one workspace, section 8.1: "custom" on the plan enterprise. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import type { Author } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { AuditLog } from '../../audit/application/audit-log.js';
import { hasCustomRates, HIGHEST_CUSTOM_RATE, planOf } from '../../limits/domain/plan.js';
import { changedRates, type CustomRatesChange, type Workspace } from '../domain/workspace.js';
import { WorkspaceRepository } from '../persistence/workspace.repository.js';

@Injectable()
export class WorkspaceRates {
  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes the rates for all processes; the change is recorded.
   * @throws DomainError invalid_field if a rate is not a whole number from 1 to 1,000,000,000, or the plan allows no
   *   custom rates; not_found.
   */
  async change(scope: WorkspaceScope, change: CustomRatesChange, author: Author): Promise<Workspace> {
    const invalid = Object.entries(change).filter(([, value]) => value !== null && !isRate(value));
    if (invalid.length > 0)
      throw invalidFields(
        invalid.map(([field]) => ({
          field,
          message: `must be an integer from 1 to ${HIGHEST_CUSTOM_RATE}`,
        })),
      );
    const workspace = await this.workspaces.change(
      scope,
      this.clock.now(),
      (current) => {
        if (!hasCustomRates(planOf(current.plan)))
          throw invalidFields([
            {
              field: 'plan',
              message: `cannot be changed on the plan ${current.plan}; only enterprise has custom rates`,
            },
          ]);
        return { customRates: changedRates(current.customRates, change) };
      },
      (tx, before, after) =>
        this.audit.record(tx, scope, author, {
          action: 'rate_limits_changed',
          subjectId: scope.workspaceId,
          before: { ...before.customRates },
          after: { ...after.customRates },
        }),
    );
    if (!workspace) throw new DomainError('not_found', 'No such workspace exists.');
    return workspace;
  }
}

function isRate(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= HIGHEST_CUSTOM_RATE;
}
