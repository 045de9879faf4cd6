/**
 * Deletes events that the plan no longer retains (section 8.2: retention), in batches small enough not to block other
 * work.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { deletedUntil } from '../../limits/domain/plan.js';
import { Batches } from '../../dead-letters/application/batches.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { EventRepository } from '../persistence/event.repository.js';
import { DeletedEventsListener } from './deleted-events.listener.js';
import { ExpiredEvents } from './event-queues.js';

const BATCH_SIZE = 1_000;

@Injectable()
export class RetentionService {
  constructor(
    private readonly database: Database,
    private readonly batches: Batches,
    private readonly queue: ExpiredEvents,
    private readonly deadLetters: DeadLetterList,
    private readonly events: EventRepository,
    private readonly workspaces: WorkspaceService,
    private readonly deletedEvents: DeletedEventsListener,
    private readonly clock: Clock,
  ) {}

  /**
   * Deletes the tenant's expired events and idempotency keys until none is left or `mayContinue` returns false.
   * @returns whether some may be left.
   */
  async deleteExpired(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    const now = this.clock.now();
    const plans = await this.database.inScope(scope, (tx) => this.workspaces.plansOf(tx, scope));
    if (!plans) return false;
    const before = deletedUntil(plans, now);
    return this.batches.run(scope, this.queue, { size: BATCH_SIZE, mayContinue }, (limit, claim) =>
      this.database.inScope(scope, async (tx) => {
        const keys = await this.events.expiredKeys(tx, scope, now, limit);
        if (keys.length > 0) {
          await claim(keys.map(({ eventId }) => eventId));
          const expired = keys.map(({ key }) => key);
          await this.events.deleteKeys(tx, scope, expired);
          return { taken: keys.length, more: true };
        }
        const ids = before ? await this.events.expired(tx, scope, before, limit) : [];
        await claim(ids);
        if (ids.length > 0) {
          await this.events.delete(tx, scope, ids);
          await this.deadLetters.remove(tx, scope, 'event', ids);
          await this.deletedEvents.handle(tx, scope, ids, now);
        }
        return { taken: ids.length, more: ids.length === limit };
      }),
    );
  }
}
