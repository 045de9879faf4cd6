/** How contacts to be asked about and segments to be refreshed leave their queues, and come back. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkQueue } from '../../set-aside/application/work-queue.js';
import { SegmentRefreshRepository } from '../persistence/segment-refresh.repository.js';
import { SegmentTouchRepository } from '../persistence/segment-touch.repository.js';
import { SEGMENTS_BELL } from '../queue/segments.jobs.js';

/** Touched contacts. What is learned of one that is set aside touches it anew. */
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

/** Segments whose members are to be looked up. One that is set aside keeps its members, and comes back when it is changed. */
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
