/** The latest events of each name, for the modules above, inside their transaction. */
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { IdentifiedEvent, LatestEvent, WeighedEvent } from '../domain/latest-event.js';
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

  /**
   * Contacts' latest events of each name, as far as they are processed.
   * @param withAttributes the names whose events' attributes are read; others have none.
   */
  async ofContacts(
    tx: Transaction,
    scope: TenantScope,
    externalIds: readonly string[],
    eventNames: readonly string[],
    withAttributes: readonly string[],
  ): Promise<IdentifiedEvent[]> {
    return this.events.ofContacts(tx, scope, externalIds, eventNames, withAttributes);
  }

  /** What reading the attributes of contacts' latest events costs, by contact and name. */
  async weigh(
    tx: Transaction,
    scope: TenantScope,
    externalIds: readonly string[],
    eventNames: readonly string[],
  ): Promise<WeighedEvent[]> {
    return this.events.weigh(tx, scope, externalIds, eventNames);
  }

  /** What reading the attributes of events costs, by id, of those that are kept. */
  async weighAttributes(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
  ): Promise<Map<string, number>> {
    return this.events.weighAttributes(tx, scope, ids);
  }

  /** The attributes of events that are kept, by id. */
  async attributesOf(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
  ): Promise<Map<string, JsonObject>> {
    return this.events.attributesOf(tx, scope, ids);
  }

  /** The most recent event of a name, whosever it is; undefined when there is none. */
  async ofAnyone(tx: Transaction, scope: TenantScope, eventName: string): Promise<LatestEvent | undefined> {
    return this.events.ofAnyone(tx, scope, eventName);
  }
}
