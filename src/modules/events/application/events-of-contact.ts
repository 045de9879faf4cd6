/** A contact's recent events, for the code that explains their effects. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { ContactEvent } from '../domain/accepted-event.js';
import { EventRepository } from '../persistence/event.repository.js';

@Injectable()
export class EventsOfContact {
  constructor(private readonly events: EventRepository) {}

  /** The contact's latest events of a name, newest first, as far as they are among its latest 5,000 of any name. */
  async latest(
    tx: Transaction,
    scope: TenantScope,
    externalId: string,
    eventName: string,
    limit: number,
  ): Promise<ContactEvent[]> {
    return this.events.latestOfName(tx, scope, externalId, eventName, limit);
  }
}
