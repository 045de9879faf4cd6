/** Deletes what a plan keeps no longer (section 8.2: retention), in batches that hold nobody up. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { planOf } from '../../limits/domain/plan.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { EventRepository } from '../persistence/event.repository.js';

const BATCH = 1_000;
const DAY = 24 * 3_600_000;

@Injectable()
export class RetentionService {
  constructor(
    private readonly database: Database,
    private readonly events: EventRepository,
    private readonly workspaces: WorkspaceService,
    private readonly clock: Clock,
  ) {}

  /**
   * Deletes the tenant's expired events and idempotency keys until none is left or `mayGoOn` says stop.
   * @returns whether some may be left.
   */
  async deleteExpired(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    const now = this.clock.now();
    const days = planOf((await this.workspaces.get(scope)).plan).retentionDays;
    const remove = (limit: number): Promise<number> =>
      this.database.inScope(scope, async (tx) => {
        const keys = await this.events.forgetKeys(tx, scope, now, limit);
        const events = Number.isFinite(days)
          ? await this.events.deleteBefore(tx, scope, new Date(now.getTime() - days * DAY), limit)
          : 0;
        return Math.max(keys, events);
      });
    while (mayGoOn()) if ((await remove(BATCH)) < BATCH) return false;
    return true;
  }
}
