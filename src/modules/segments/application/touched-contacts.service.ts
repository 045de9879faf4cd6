/**
 * Decides again which segments the touched contacts are in: a batch at a time, in memory, and stores the differences
 * in a few statements.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { fittingCount } from '../../../platform/database/weight.js';
import { planForAll } from '../../../platform/database/whole-tenant.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import type { BatchDone, DoBatch } from '../../set-aside/application/do-batch.js';
import { decide } from '../domain/decide.js';
import type { FilterGroup } from '../domain/filter.js';
import { SegmentSet } from '../domain/segment-set.js';
import {
  ContactFactsRepository,
  MOST_EVENTS,
  type EventsByName,
} from '../persistence/contact-facts.repository.js';
import { filterSql } from '../persistence/filter-sql.js';
import { SegmentMemberRepository, type Membership } from '../persistence/segment-member.repository.js';
import { SegmentRefreshRepository } from '../persistence/segment-refresh.repository.js';
import { SegmentRepository } from '../persistence/segment.repository.js';
import { SegmentTouchRepository } from '../persistence/segment-touch.repository.js';

/** The segments whose filters can be read, and the set of all, through which filters refer to each other. */
interface Readable {
  readonly filters: ReadonlyMap<string, FilterGroup>;
  readonly set: SegmentSet;
}

@Injectable()
export class TouchedContactsService {
  constructor(
    private readonly database: Database,
    private readonly touches: SegmentTouchRepository,
    private readonly segments: SegmentRepository,
    private readonly members: SegmentMemberRepository,
    private readonly refreshes: SegmentRefreshRepository,
    private readonly contacts: KnownContacts,
    private readonly facts: ContactFactsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Decides a batch.
   * @returns the result; `busy` if another worker has locked the tenant's members.
   */
  async decideBatch(scope: TenantScope, ...[limit, hold]: Parameters<DoBatch>): Promise<BatchDone | 'busy'> {
    return this.database.inScope(scope, async (tx) => {
      if (!(await this.members.lock(tx, scope))) return 'busy';
      const waiting = await this.touches.oldest(tx, scope, limit);
      if (waiting.length === 0) return { taken: 0, more: false };
      const ids = await this.fitting(tx, scope, waiting);
      await hold(ids);
      await this.touches.take(tx, scope, ids);
      const set = new SegmentSet(await this.segments.all(tx, scope));
      const readable = { filters: set.readable(), set };
      const now = this.clock.now();
      const wanted = await this.wanted(tx, scope, ids, readable, now);
      await this.store(tx, scope, ids, readable, wanted, now);
      return { taken: ids.length, more: waiting.length === limit || ids.length < waiting.length };
    });
  }

  /** The first contacts whose data fits in the size limit of a batch; at least one. */
  private async fitting(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<string[]> {
    const weights = await this.contacts.weigh(tx, scope, ids);
    return ids.slice(0, fittingCount(ids, weights));
  }

  /** The memberships that the contacts should have. */
  private async wanted(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    { filters, set }: Readable,
    now: Date,
  ): Promise<Map<string, Membership>> {
    const contacts = await this.contacts.find(tx, scope, 'id', ids);
    const events = await this.facts.events(
      tx,
      scope,
      contacts.map((contact) => contact.externalId),
      [...set.eventNames()],
      MOST_EVENTS,
    );
    const eventsOf = ({ externalId: id }: Contact): EventsByName | undefined => events.get(id);
    const wanted = new Map<string, Membership>();
    const add = (segmentId: string, contactId: string): void =>
      void wanted.set(keyOf({ segmentId, contactId }), { segmentId, contactId });
    const busiest = contacts.filter((contact) => eventsOf(contact) === null);
    if (busiest.length > 0) await planForAll(tx);
    for (const [segmentId, filter] of filters) {
      for (const contact of contacts) {
        const done = eventsOf(contact);
        if (done === null) continue;
        const known = { contact, events: done ?? NO_EVENTS, filterOf: set.filterOf };
        if (decide(filter, known, now)) add(segmentId, contact.id);
      }
      if (busiest.length === 0) continue;
      const compiled = filterSql(filter, {
        now,
        filterOf: set.filterOf,
        firstParameter: 2,
        externalIds: busiest.map((contact) => contact.externalId),
      });
      for (const id of await this.members.found(
        tx,
        scope,
        compiled,
        busiest.map((contact) => contact.id),
      ))
        add(segmentId, id);
    }
    return wanted;
  }

  /** Stores the differences. Segments that cannot be read keep their members. */
  private async store(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    { filters }: Readable,
    wanted: ReadonlyMap<string, Membership>,
    now: Date,
  ): Promise<void> {
    const current = (await this.members.of(tx, scope, ids)).filter(({ segmentId }) => filters.has(segmentId));
    const known = new Set(current.map(keyOf));
    const entering = [...wanted.values()].filter((one) => !known.has(keyOf(one)));
    const leaving = current.filter((one) => !wanted.has(keyOf(one)));
    await this.members.enter(tx, scope, entering, now);
    await this.members.leave(tx, scope, leaving, now);
    const changes = new Map<string, number>();
    const count = (some: readonly Membership[], by: number): void => {
      for (const { segmentId } of some) changes.set(segmentId, (changes.get(segmentId) ?? 0) + by);
    };
    count(entering, 1);
    count(leaving, -1);
    await this.refreshes.count(tx, scope, changes);
  }
}

const NO_EVENTS = new Map<string, never>();

function keyOf({ segmentId, contactId }: Membership): string {
  return `${segmentId} ${contactId}`;
}
