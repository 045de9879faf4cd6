/**
 * Decides again which segments the touched contacts are in: a batch at a time, in memory, and stores the differences
 * in a few statements.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { fittingCount } from '../../../platform/database/byte-size.js';
import { prepareTenantScan } from '../../../platform/database/tenant-scan.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import type { BatchResult, ProcessBatch } from '../../dead-letters/application/work-queue.js';
import { matchesFilter } from '../domain/matches-filter.js';
import type { FilterGroup } from '../domain/filter.js';
import { SegmentSet } from '../domain/segment-set.js';
import {
  ContactEventsRepository,
  MAX_CONTACT_EVENTS,
  type EventsByName,
} from '../persistence/contact-events.repository.js';
import { filterSql } from '../persistence/filter-sql.js';
import { SegmentMemberRepository, type Membership } from '../persistence/segment-member.repository.js';
import { SegmentRefreshRepository } from '../persistence/segment-refresh.repository.js';
import { SegmentRepository } from '../persistence/segment.repository.js';
import { SegmentTouchRepository } from '../persistence/segment-touch.repository.js';

/** The segments whose filters can be read, and the set of all, through which filters refer to each other. */
interface ReadableSegments {
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
    private readonly contactEvents: ContactEventsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Decides a batch.
   * @returns the result; `busy` if another worker has locked the tenant's members.
   */
  async evaluateBatch(
    scope: TenantScope,
    ...[limit, claim]: Parameters<ProcessBatch>
  ): Promise<BatchResult | 'busy'> {
    return this.database.inScope(scope, async (tx) => {
      if (!(await this.members.lock(tx, scope))) return 'busy';
      const waiting = await this.touches.oldest(tx, scope, limit);
      if (waiting.length === 0) return { taken: 0, more: false };
      const ids = await this.fitting(tx, scope, waiting);
      await claim(ids);
      await this.touches.removeAll(tx, scope, ids);
      const set = new SegmentSet(await this.segments.all(tx, scope));
      const readable = { filters: set.readable(), set };
      const now = this.clock.now();
      const expected = await this.expectedMemberships(tx, scope, ids, readable, now);
      await this.store(tx, scope, ids, readable, expected, now);
      return { taken: ids.length, more: waiting.length === limit || ids.length < waiting.length };
    });
  }

  /** The first contacts whose data fits in the size limit of a batch; at least one. */
  private async fitting(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<string[]> {
    const weights = await this.contacts.weigh(tx, scope, ids);
    return ids.slice(0, fittingCount(ids, weights));
  }

  /** The memberships that the contacts should have. */
  private async expectedMemberships(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    { filters, set }: ReadableSegments,
    now: Date,
  ): Promise<Map<string, Membership>> {
    const contacts = await this.contacts.find(tx, scope, 'id', ids);
    const events = await this.contactEvents.events(
      tx,
      scope,
      contacts.map((contact) => contact.externalId),
      [...set.eventNames()],
      MAX_CONTACT_EVENTS,
    );
    const eventsOf = ({ externalId: id }: Contact): EventsByName | undefined => events.get(id);
    const expected = new Map<string, Membership>();
    const add = (segmentId: string, contactId: string): void =>
      void expected.set(keyOf({ segmentId, contactId }), { segmentId, contactId });
    const busiest = contacts.filter((contact) => eventsOf(contact) === null);
    if (busiest.length > 0) await prepareTenantScan(tx);
    for (const [segmentId, filter] of filters) {
      for (const contact of contacts) {
        const ownEvents = eventsOf(contact);
        if (ownEvents === null) continue;
        const inputs = { contact, events: ownEvents ?? NO_EVENTS, filterOf: set.filterOf };
        if (matchesFilter(filter, inputs, now)) add(segmentId, contact.id);
      }
      if (busiest.length === 0) continue;
      const compiled = filterSql(filter, {
        now,
        filterOf: set.filterOf,
        firstParameter: 2,
        externalIds: busiest.map((contact) => contact.externalId),
      });
      for (const id of await this.members.matchingContacts(
        tx,
        scope,
        compiled,
        busiest.map((contact) => contact.id),
      ))
        add(segmentId, id);
    }
    return expected;
  }

  /** Stores the differences. Segments that cannot be read keep their members. */
  private async store(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    { filters }: ReadableSegments,
    expected: ReadonlyMap<string, Membership>,
    now: Date,
  ): Promise<void> {
    const current = (await this.members.of(tx, scope, ids)).filter(({ segmentId }) => filters.has(segmentId));
    const existing = new Set(current.map(keyOf));
    const entering = [...expected.values()].filter((one) => !existing.has(keyOf(one)));
    const leaving = current.filter((one) => !expected.has(keyOf(one)));
    await this.members.enter(tx, scope, entering, now);
    await this.members.leave(tx, scope, leaving, now);
    const countDeltas = new Map<string, number>();
    const count = (some: readonly Membership[], by: number): void => {
      for (const { segmentId } of some) countDeltas.set(segmentId, (countDeltas.get(segmentId) ?? 0) + by);
    };
    count(entering, 1);
    count(leaving, -1);
    await this.refreshes.addToMemberCounts(tx, scope, countDeltas);
  }
}

const NO_EVENTS = new Map<string, never>();

function keyOf({ segmentId, contactId }: Membership): string {
  return `${segmentId} ${contactId}`;
}
