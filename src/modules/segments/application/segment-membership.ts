/** The stored members of segments, for many contacts or segments per query, for flows and the dashboard. */
import { Injectable } from '@nestjs/common';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { matchesFilter } from '../domain/matches-filter.js';
import { ContactEventsRepository, MAX_CONTACT_EVENTS } from '../persistence/contact-events.repository.js';
import { SegmentMemberRepository } from '../persistence/segment-member.repository.js';
import { SegmentRepository } from '../persistence/segment.repository.js';
import { SegmentCatalogue } from './segment-catalogue.js';

export interface SegmentMember {
  readonly contact: Contact;
  readonly enteredAt: Date;
}

export interface SegmentOfContact {
  readonly id: string;
  readonly name: string;
  readonly enteredAt: Date;
}

/** Whether a contact, with the given data, is in a segment. */
export type IsMember = (segmentId: string, contact: Contact) => boolean;

const nobody: IsMember = () => false;
const NO_EVENTS = new Map<string, never>();

@Injectable()
export class SegmentMembership {
  constructor(
    private readonly database: Database,
    private readonly members: SegmentMemberRepository,
    private readonly segments: SegmentRepository,
    private readonly catalogue: SegmentCatalogue,
    private readonly contacts: KnownContacts,
    private readonly contactEvents: ContactEventsRepository,
  ) {}

  /** Those of the contacts that are in the segment. */
  async membersAmong(
    tx: Transaction,
    scope: TenantScope,
    segmentId: string,
    contactIds: readonly string[],
  ): Promise<Set<string>> {
    return contactIds.length === 0 ? new Set() : this.members.membersAmong(tx, scope, segmentId, contactIds);
  }

  /**
   * Prefetches what is needed to decide whether these contacts are in these segments, by the current filters, even if
   * their records change meanwhile. If that would be too expensive (a contact with very many events, a filter that
   * can no longer be read), the stored membership counts.
   */
  async prefetchMembership(
    tx: Transaction,
    scope: TenantScope,
    segmentIds: readonly string[],
    contacts: readonly Contact[],
    now: Date,
  ): Promise<IsMember> {
    if (segmentIds.length === 0 || contacts.length === 0) return nobody;
    const set = await this.catalogue.all(tx, scope);
    const externalIds = contacts.map(({ externalId }) => externalId);
    const names = [...new Set(segmentIds.flatMap((id) => set.eventNamesOf(id)))];
    const events = await this.contactEvents.events(tx, scope, externalIds, names, MAX_CONTACT_EVENTS);
    const storedMembers = new Map<string, ReadonlySet<string>>();
    const readable = new Map(segmentIds.map((id) => [id, set.readableFilterOf(id)]));
    const busiest = contacts.filter(({ externalId }) => events.get(externalId) === null);
    for (const id of segmentIds) {
      const candidates = readable.get(id) ? busiest : contacts;
      const ids = candidates.map((contact) => contact.id);
      storedMembers.set(id, await this.membersAmong(tx, scope, id, ids));
    }
    return (segmentId, contact) => {
      const filter = readable.get(segmentId);
      const ownEvents = events.get(contact.externalId);
      if (!filter || ownEvents === null) return storedMembers.get(segmentId)?.has(contact.id) ?? false;
      return matchesFilter(filter, { contact, events: ownEvents ?? NO_EVENTS, filterOf: set.filterOf }, now);
    };
  }

  /** A page of members of each segment, by segment, newest contacts first. */
  async membersOf(
    scope: TenantScope,
    segmentIds: readonly string[],
    { first, after }: PageRequest,
  ): Promise<Map<string, Slice<SegmentMember>>> {
    return this.database.listInScope(scope, async (tx) => {
      const rows = await this.members.pages(tx, scope, segmentIds, {
        limit: first + 1,
        after: after?.id ?? null,
      });
      const ids = [...new Set(rows.map(({ contactId }) => contactId))];
      const contacts = await this.contacts.find(tx, scope, 'id', ids);
      const byId = new Map(contacts.map((contact) => [contact.id, contact]));
      const found = new Map<string, SegmentMember[]>(segmentIds.map((id) => [id, []]));
      for (const { segmentId, contactId, enteredAt } of rows) {
        const contact = byId.get(contactId);
        if (contact) found.get(segmentId)?.push({ contact, enteredAt });
      }
      return new Map([...found].map(([id, members]) => [id, sliceOf(members, first)]));
    });
  }

  /** The segments that each contact is in, sorted by name. */
  async segmentsOf(
    scope: TenantScope,
    contactIds: readonly string[],
  ): Promise<Map<string, SegmentOfContact[]>> {
    return this.database.inScope(scope, async (tx) => {
      const names = new Map((await this.segments.all(tx, scope)).map(({ id, name }) => [id, name]));
      const found = new Map<string, SegmentOfContact[]>(contactIds.map((id) => [id, []]));
      for (const { segmentId, contactId, enteredAt } of await this.members.of(tx, scope, contactIds)) {
        const name = names.get(segmentId);
        if (name !== undefined) found.get(contactId)?.push({ id: segmentId, name, enteredAt });
      }
      for (const segments of found.values())
        segments.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
      return found;
    });
  }
}
