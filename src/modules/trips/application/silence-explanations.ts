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
import { FlowStatusRepository } from '../../flows/persistence/flow-status.repository.js';
import type { Flow } from '../../flows/domain/flow.js';
import { SegmentMembership } from '../../segments/application/segment-membership.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import type { TriggerCandidate, ContactSelector } from '../domain/silence-inputs.js';
import { explainSilence, type SilenceExplanation } from '../domain/silence.js';
import { TripExplanations } from './trip-explanations.js';

/** Maximum number of events, and of trips, that are checked. */
const MAX_CHECKED = 20;

@Injectable()
export class SilenceExplanations {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowService,
    private readonly statuses: FlowStatusRepository,
    private readonly contacts: KnownContacts,
    private readonly events: EventsOfContact,
    private readonly segments: SegmentMembership,
    private readonly deadLetters: DeadLetterList,
    private readonly trips: TripExplanations,
    private readonly clock: Clock,
  ) {}

  /**
   * @param withValues whether the caller may see the contact's values.
   * @throws DomainError flow_not_found.
   */
  async of(
    scope: TenantScope,
    selector: ContactSelector,
    flowId: string,
    withValues: boolean,
  ): Promise<SilenceExplanation> {
    if (!isUuid(flowId)) throw new DomainError('flow_not_found', `No flow has the ID ${flowId}.`);
    const flow = await this.flows.get(scope, flowId);
    const cap = await this.trips.cap(scope);
    return this.database.inScope(scope, async (tx) => {
      const contact = await this.find(tx, scope, selector);
      const externalId = contact?.externalId ?? ('externalId' in selector ? selector.externalId : undefined);
      const contactInFlow = contact && { contactId: contact.id, flowId };
      const trips = contactInFlow
        ? await this.trips.ofContact(tx, scope, contactInFlow, MAX_CHECKED, cap, withValues)
        : [];
      return explainSilence({
        flow: { ...flow, changes: await this.statuses.latest(tx, scope, flowId) },
        contact,
        isMember: contact && (await this.isMember(tx, scope, flow, contact)),
        events: externalId === undefined ? [] : await this.candidates(tx, scope, externalId, flow),
        trips: trips.map(({ trip, explanation }) => ({ ...trip, explanation })),
        withValues,
      });
    });
  }

  private async find(
    tx: Transaction,
    scope: TenantScope,
    selector: ContactSelector,
  ): Promise<Contact | undefined> {
    if ('id' in selector && !isUuid(selector.id)) return undefined;
    const [contact] =
      'id' in selector
        ? await this.contacts.find(tx, scope, 'id', [selector.id])
        : await this.contacts.find(tx, scope, 'externalId', [selector.externalId]);
    return contact;
  }

  private async isMember(
    tx: Transaction,
    scope: TenantScope,
    { segmentId }: Flow,
    contact: Contact,
  ): Promise<boolean | undefined> {
    if (segmentId === null) return undefined;
    const isMember = await this.segments.prefetchMembership(
      tx,
      scope,
      [segmentId],
      [contact],
      this.clock.now(),
    );
    return isMember(segmentId, contact);
  }

  private async candidates(
    tx: Transaction,
    scope: TenantScope,
    externalId: string,
    { triggerEvent }: Flow,
  ): Promise<TriggerCandidate[]> {
    const events = await this.events.latest(tx, scope, externalId, triggerEvent, MAX_CHECKED);
    const ids = events.map(({ id }) => id);
    const deadLetters = await this.deadLetters.bySubject(tx, scope, 'event', ids);
    return events.map((event) => ({ ...event, isDeadLetter: deadLetters.has(event.id) }));
  }
}
