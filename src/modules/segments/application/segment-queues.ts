/** Dead-letter handling for the queues of touched contacts and of segment refreshes. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import type { WorkQueue } from '../../dead-letters/application/work-queue.js';
import { SegmentRefreshRepository } from '../persistence/segment-refresh.repository.js';
import { SegmentTouchRepository } from '../persistence/segment-touch.repository.js';

/** Touched contacts. New data about a dead-lettered contact touches it again. */
@Injectable()
export class TouchedContactsQueue implements WorkQueue {
  readonly kind = 'segment_touch';
  readonly wakeUp = WAKE_UPS.segments;

  constructor(private readonly touches: SegmentTouchRepository) {}

  dequeue(tx: Transaction, scope: TenantScope, contactId: string): Promise<boolean> {
    return this.touches.remove(tx, scope, contactId);
  }

  async requeue(tx: Transaction, scope: TenantScope, contactId: string, now: Date): Promise<boolean> {
    await this.touches.touch(tx, scope, [contactId], now);
    return true;
  }
}

/** Segments to refresh. A dead-lettered one keeps its members, and is requeued when it changes. */
@Injectable()
export class DueRefreshesQueue implements WorkQueue {
  readonly kind = 'segment_refresh';
  readonly wakeUp = WAKE_UPS.segments;

  constructor(private readonly refreshes: SegmentRefreshRepository) {}

  dequeue(tx: Transaction, scope: TenantScope, segmentId: string, now: Date): Promise<boolean> {
    return this.refreshes.postpone(tx, scope, segmentId, now, null);
  }

  async defer(tx: Transaction, scope: TenantScope, segmentId: string, until: Date, now: Date): Promise<void> {
    await this.refreshes.postpone(tx, scope, segmentId, now, until);
  }

  requeue(tx: Transaction, scope: TenantScope, segmentId: string, now: Date): Promise<boolean> {
    return this.refreshes.requeue(tx, scope, segmentId, now);
  }
}
