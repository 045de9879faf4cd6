/** Dead-letter handling for the queues of touched contacts and of segment refreshes. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkQueue } from '../../set-aside/application/work-queue.js';
import { SegmentRefreshRepository } from '../persistence/segment-refresh.repository.js';
import { SegmentTouchRepository } from '../persistence/segment-touch.repository.js';
import { SEGMENTS_BELL } from '../queue/segments.jobs.js';

/** Touched contacts. New data about a dead-lettered contact touches it again. */
@Injectable()
export class TouchedContacts implements WorkQueue {
  readonly kind = 'segment_touch';
  readonly bell = SEGMENTS_BELL;

  constructor(private readonly touches: SegmentTouchRepository) {}

  takeOut(tx: Transaction, scope: TenantScope, contactId: string): Promise<boolean> {
    return this.touches.remove(tx, scope, contactId);
  }

  async putBack(tx: Transaction, scope: TenantScope, contactId: string, now: Date): Promise<boolean> {
    await this.touches.touch(tx, scope, [contactId], now);
    return true;
  }
}

/** Segments to refresh. A dead-lettered one keeps its members, and is requeued when it changes. */
@Injectable()
export class DueRefreshes implements WorkQueue {
  readonly kind = 'segment_refresh';
  readonly bell = SEGMENTS_BELL;

  constructor(private readonly refreshes: SegmentRefreshRepository) {}

  takeOut(tx: Transaction, scope: TenantScope, segmentId: string, now: Date): Promise<boolean> {
    return this.refreshes.postpone(tx, scope, segmentId, now, null);
  }

  async defer(tx: Transaction, scope: TenantScope, segmentId: string, until: Date, now: Date): Promise<void> {
    await this.refreshes.postpone(tx, scope, segmentId, now, until);
  }

  putBack(tx: Transaction, scope: TenantScope, segmentId: string, now: Date): Promise<boolean> {
    return this.refreshes.putBack(tx, scope, segmentId, now);
  }
}
