/** How events leave their queues as dead letters, and are requeued: events to process, and events to delete. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import type { WorkQueue } from '../../dead-letters/application/work-queue.js';
import { EventRepository } from '../persistence/event.repository.js';
import { lockProcessing } from '../persistence/processing-lock.js';

/** Accepted events. A dead letter counts as processed. After it is requeued, it is the first of those that wait. */
@Injectable()
export class PendingEvents implements WorkQueue {
  readonly kind = 'event';
  readonly wakeUp = WAKE_UPS.events;

  constructor(private readonly events: EventRepository) {}

  async dequeue(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    // A worker may be processing this event now.
    await lockProcessing(tx, scope);
    return this.events.removePending(tx, scope, id, now);
  }

  requeue(tx: Transaction, scope: TenantScope, id: string): Promise<boolean> {
    return this.events.requeue(tx, scope, id);
  }
}

/**
 * Expired events, and expired idempotency keys, which are identified by their event. The dead-letter list itself keeps
 * them out of the queue.
 */
@Injectable()
export class ExpiredEvents implements WorkQueue {
  readonly kind = 'retention';
  readonly wakeUp = WAKE_UPS.upkeep;

  dequeue(): Promise<boolean> {
    return Promise.resolve(true);
  }

  requeue(): Promise<boolean> {
    return Promise.resolve(true);
  }
}
