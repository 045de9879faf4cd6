/** The latest events of each name, for higher modules, in their transaction. */
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { IdentifiedEvent, LatestEvent, WeighedEvent } from '../domain/latest-event.js';
import { LatestEventRepository } from '../persistence/latest-event.repository.js';

@Injectable()
export class LatestEvents {
  constructor(private readonly events: LatestEventRepository) {}

  /** A contact's latest event of each name, if any, including those that wait for processing. */
  async ofContact(
    tx: Transaction,
    scope: TenantScope,
    externalId: string,
    eventNames: readonly string[],
  ): Promise<LatestEvent[]> {
    return this.events.ofContact(tx, scope, externalId, eventNames);
  }

  /**
   * Contacts' latest processed events of each name.
   * @param withAttributes the names whose events' attributes are read. Other events have none.
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

  /** The cost of reading the attributes of contacts' latest events, by contact and name. */
  async weigh(
    tx: Transaction,
    scope: TenantScope,
    externalIds: readonly string[],
    eventNames: readonly string[],
  ): Promise<WeighedEvent[]> {
    return this.events.weigh(tx, scope, externalIds, eventNames);
  }

  /** The cost of reading the attributes of stored events, by id. */
  async weighAttributes(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
  ): Promise<Map<string, number>> {
    return this.events.weighAttributes(tx, scope, ids);
  }

  /** The attributes of stored events, by id. */
  async attributesOf(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
  ): Promise<Map<string, JsonObject>> {
    return this.events.attributesOf(tx, scope, ids);
  }

  /** The most recent event of a name, of any contact; undefined when there is none. */
  async latestOfAnyContact(
    tx: Transaction,
    scope: TenantScope,
    eventName: string,
  ): Promise<LatestEvent | undefined> {
    return this.events.latestOfAnyContact(tx, scope, eventName);
  }
}
