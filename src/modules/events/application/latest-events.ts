/** The latest events of each name, for the modules above, inside their transaction. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { LatestEvent } from '../domain/latest-event.js';
import { LatestEventRepository } from '../persistence/latest-event.repository.js';

@Injectable()
export class LatestEvents {
  constructor(private readonly events: LatestEventRepository) {}

  /** A contact's latest event of each name, as far as there is one, also of those that wait to be processed. */
  async ofContact(
    tx: Transaction,
    scope: TenantScope,
    externalId: string,
    eventNames: readonly string[],
  ): Promise<LatestEvent[]> {
    return this.events.ofContact(tx, scope, externalId, eventNames);
  }

  /** The most recent event of a name, whosever it is; undefined when there is none. */
  async ofAnyone(tx: Transaction, scope: TenantScope, eventName: string): Promise<LatestEvent | undefined> {
    return this.events.ofAnyone(tx, scope, eventName);
  }
}
