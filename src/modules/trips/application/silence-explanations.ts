/**
 * Loads what explains why a contact did not enter a flow or received no message. Reads few rows, however much the
 * contact has done.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { EventsOfContact } from '../../events/application/events-of-contact.js';
import { FlowService } from '../../flows/application/flow.service.js';
import { FlowStatuses } from '../../flows/application/flow-statuses.js';
import type { Flow } from '../../flows/domain/flow.js';
import { SegmentMembership } from '../../segments/application/segment-membership.js';
import { SetAsideList } from '../../set-aside/application/set-aside-list.js';
import type { TriggerCandidate, WhichContact } from '../domain/silence-facts.js';
import { explainSilence, type SilenceExplanation } from '../domain/silence.js';
import { TripExplanations } from './trip-explanations.js';

/** Maximum number of events, and of trips, that are checked. */
const MOST = 20;

@Injectable()
export class SilenceExplanations {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowService,
    private readonly statuses: FlowStatuses,
    private readonly contacts: KnownContacts,
    private readonly events: EventsOfContact,
    private readonly segments: SegmentMembership,
    private readonly setAside: SetAsideList,
    private readonly trips: TripExplanations,
    private readonly clock: Clock,
  ) {}

  /**
   * @param withValues whether the caller may see the contact's values.
   * @throws DomainError flow_not_found.
   */
  async of(
    scope: TenantScope,
    which: WhichContact,
    flowId: string,
    withValues: boolean,
  ): Promise<SilenceExplanation> {
    if (!isUuid(flowId)) throw new DomainError('flow_not_found', `No flow has the ID ${flowId}.`);
    const flow = await this.flows.get(scope, flowId);
    const cap = await this.trips.cap(scope);
    return this.database.inScope(scope, async (tx) => {
      const contact = await this.find(tx, scope, which);
      const externalId = contact?.externalId ?? ('externalId' in which ? which.externalId : undefined);
      const who = contact && { contactId: contact.id, flowId };
      const trips = who ? await this.trips.ofContact(tx, scope, who, MOST, cap, withValues) : [];
      return explainSilence({
        flow: { ...flow, changes: await this.statuses.of(tx, scope, flowId) },
        contact,
        isMember: contact && (await this.isMember(tx, scope, flow, contact)),
        events: externalId === undefined ? [] : await this.candidates(tx, scope, externalId, flow),
        trips: trips.map(({ trip, explanation }) => ({ ...trip, explanation })),
        withValues,
      });
    });
  }

  private async find(tx: Transaction, scope: TenantScope, which: WhichContact): Promise<Contact | undefined> {
    if ('id' in which && !isUuid(which.id)) return undefined;
    const [contact] =
      'id' in which
        ? await this.contacts.find(tx, scope, 'id', [which.id])
        : await this.contacts.find(tx, scope, 'externalId', [which.externalId]);
    return contact;
  }

  private async isMember(
    tx: Transaction,
    scope: TenantScope,
    { segmentId }: Flow,
    contact: Contact,
  ): Promise<boolean | undefined> {
    if (segmentId === null) return undefined;
    const isMember = await this.segments.asOf(tx, scope, [segmentId], [contact], this.clock.now());
    return isMember(segmentId, contact);
  }

  private async candidates(
    tx: Transaction,
    scope: TenantScope,
    externalId: string,
    { triggerEvent }: Flow,
  ): Promise<TriggerCandidate[]> {
    const events = await this.events.latest(tx, scope, externalId, triggerEvent, MOST);
    const ids = events.map(({ id }) => id);
    const setAside = await this.setAside.of(tx, scope, 'event', ids);
    return events.map((event) => ({ ...event, isSetAside: setAside.has(event.id) }));
  }
}
