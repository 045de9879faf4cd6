/**
 * Marks contacts about which new data is stored, in the same transaction, so that a worker decides their segments
 * again. Free in a workspace without segments.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { SegmentTouchRepository } from '../persistence/segment-touch.repository.js';
import { SegmentCatalogue } from './segment-catalogue.js';

@Injectable()
export class SegmentTouches {
  constructor(
    private readonly segments: SegmentCatalogue,
    private readonly touches: SegmentTouchRepository,
  ) {}

  /** Marks contacts whose data changed. */
  async touchChanged(
    tx: Transaction,
    scope: TenantScope,
    contactIds: readonly string[],
    now: Date,
  ): Promise<void> {
    if (contactIds.length > 0 && !(await this.segments.all(tx, scope)).isEmpty)
      await this.touches.touch(tx, scope, [...new Set(contactIds)], now);
  }

  /** Marks the contacts of those events that a segment's conditions use. */
  async touchForEvents(
    tx: Transaction,
    scope: TenantScope,
    events: readonly { readonly name: string; readonly contactId: string }[],
    now: Date,
  ): Promise<void> {
    const eventNames = (await this.segments.all(tx, scope)).eventNames();
    const contactIds = events.filter(({ name }) => eventNames.has(name)).map(({ contactId }) => contactId);
    if (contactIds.length > 0) await this.touches.touch(tx, scope, [...new Set(contactIds)], now);
  }
}
