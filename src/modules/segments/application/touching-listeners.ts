/** Listeners for changed contacts and accepted events; they mark the affected contacts. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { ContactChangesListener } from '../../contacts/application/contact-changes.listener.js';
import type { ChangedContact } from '../../contacts/domain/changed-contact.js';
import { AcceptedEventsListener } from '../../events/application/accepted-events.listener.js';
import { hasContact, type AcceptedEvent } from '../../events/domain/accepted-event.js';
import { SegmentTouches } from './segment-touches.js';

@Injectable()
export class TouchChangedContacts extends ContactChangesListener {
  constructor(private readonly touches: SegmentTouches) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    contacts: readonly ChangedContact[],
    now: Date,
  ): Promise<void> {
    const ids: string[] = [];
    // The segment data of an erased contact, including its mark, was already deleted (`segment-erasure.ts`).
    for (const { id, what } of contacts) if (what !== 'erased') ids.push(id);
    await this.touches.touchChanged(tx, scope, ids, now);
  }
}

@Injectable()
export class TouchByEvents extends AcceptedEventsListener {
  constructor(private readonly touches: SegmentTouches) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    events: readonly AcceptedEvent[],
    now: Date,
  ): Promise<void> {
    await this.touches.touchForEvents(tx, scope, events.filter(hasContact), now);
  }
}
