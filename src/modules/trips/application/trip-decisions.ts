/**
 * Carries a batch of trips through the core and stores everything that it decides, inside a caller's transaction:
 * contact updates, messages, and the trips' new states, each with one statement. Listeners hear of those that are over.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import type { Contact, ContactChanges } from '../../contacts/domain/contact.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { mergeContact } from '../../contacts/domain/merge-contact.js';
import type { ContactChange } from '../../contacts/domain/refusal.js';
import { Outbox } from '../../delivery/application/outbox.js';
import type { NewEmailLog } from '../../delivery/domain/email-log.js';
import { SENDS_BELL } from '../../delivery/queue/sends.jobs.js';
import { FlowCatalogue, type FlowDefinition } from '../../flows/application/flow-catalogue.js';
import { advance, type Decision } from '../domain/advance.js';
import { contactAssignments } from '../domain/contact-assignments.js';
import { stateAfter } from '../domain/trip-state.js';
import type { Trip } from '../domain/trip.js';
import { IN_FLIGHT } from '../domain/trip-transitions.js';
import type { TripState } from '../persistence/trip.repository.js';
import { EndedTripsListener } from './ended-trips.listener.js';

export interface DecidedTrip {
  readonly trip: Trip;
  readonly decision: Decision;
  readonly definition: FlowDefinition | undefined;
}

@Injectable()
export class TripDecisions {
  constructor(
    private readonly flows: FlowCatalogue,
    private readonly contacts: KnownContacts,
    private readonly outbox: Outbox,
    private readonly endedTrips: EndedTripsListener,
    private readonly dispatcher: Dispatcher,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Asks the core about each trip and stores what it changes of contacts. Trips of one contact see each other's
   * changes, in the order given.
   */
  async decide(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly Trip[],
    now: Date,
  ): Promise<DecidedTrip[]> {
    const definitions = await this.definitions(tx, scope, trips);
    const updates = (trip: Trip): boolean =>
      definitions
        .get(versionKey(trip))
        ?.steps.slice(trip.step)
        .some(({ type }) => type === 'update_contact') ?? false;
    const contacts = await this.load(tx, scope, trips, updates);

    const changes: { readonly contactId: string; readonly change: ContactChanges }[] = [];
    const decided = trips.map((trip): DecidedTrip => {
      const definition = definitions.get(versionKey(trip));
      const facts = { steps: definition?.steps, contactExists: contacts.has(trip.contactId) };
      const { decision, contactUpdates } = advance(trip.step, facts, now);
      for (const set of contactUpdates)
        changes.push({ contactId: trip.contactId, change: contactAssignments(set) });
      return { trip, decision, definition };
    });
    await this.contacts.change(tx, scope, merged(contacts, changes, now), now);
    return decided;
  }

  /** The rows of trips after their decisions. */
  states(decided: readonly DecidedTrip[], now: Date): TripState[] {
    return decided.map(({ trip, decision }) => ({ ...trip, ...stateAfter(decision, now) }));
  }

  /**
   * What follows from decisions whose trips are stored: messages go into the ledger, where a trip and step that has
   * one already gets no second, and listeners hear of the trips that are over.
   */
  async follow(
    tx: Transaction,
    scope: TenantScope,
    decided: readonly DecidedTrip[],
    now: Date,
  ): Promise<void> {
    const messages = decided.flatMap((one) => messageOf(one, now));
    await this.outbox.put(tx, scope, messages, now);
    const ended = this.states(decided, now).filter(({ status }) => !IN_FLIGHT.includes(status));
    await this.endedTrips.hear(tx, scope, ended, now);
    tx.afterCommit(() => {
      for (const { decision } of decided) this.metrics.trips.inc({ outcome: decision.kind });
      if (messages.length > 0) this.dispatcher.ring(SENDS_BELL, scope);
    });
  }

  private async definitions(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly Trip[],
  ): Promise<Map<string, FlowDefinition>> {
    const found = new Map<string, FlowDefinition>();
    const versions = new Map(trips.map((trip) => [versionKey(trip), trip]));
    for (const [key, trip] of versions) {
      const definition = await this.flows.definition(tx, scope, trip.flowId, trip.flowVersion);
      if (definition) found.set(key, definition);
    }
    return found;
  }

  private async load(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly Trip[],
    updates: (trip: Trip) => boolean,
  ): Promise<Map<string, Contact>> {
    const locked = new Set(trips.filter(updates).map((trip) => trip.contactId));
    const plain = new Set(trips.map((trip) => trip.contactId).filter((id) => !locked.has(id)));
    const contacts = [
      ...(await this.contacts.lock(tx, scope, [...locked])),
      ...(await this.contacts.find(tx, scope, 'id', [...plain])),
    ];
    return new Map(contacts.map((contact) => [contact.id, contact]));
  }
}

function versionKey(trip: Trip): string {
  return `${trip.flowId}:${trip.flowVersion}`;
}

/** The message that was decided, if any was. */
function messageOf({ trip, decision, definition }: DecidedTrip, now: Date): NewEmailLog[] {
  if (decision.kind !== 'send' || !definition) return [];
  const { templateSlug, subject, emailSendSettings: settings } = decision.message;
  return [
    {
      id: uuidv7(now.getTime()),
      sourceId: trip.flowId,
      origin: 'trip',
      originId: trip.id,
      originStep: decision.sendStep,
      contactId: trip.contactId,
      triggerEventId: trip.triggerEventId,
      templateSlug,
      contentType: definition.contentType,
      options: {
        ...(subject === undefined ? {} : { subject }),
        ...(settings ? { emailSendSettings: settings } : {}),
      },
    },
  ];
}

/** The contacts that the changes really change, after all of them. */
function merged(
  contacts: ReadonlyMap<string, Contact>,
  changes: readonly { readonly contactId: string; readonly change: ContactChanges }[],
  now: Date,
): ContactChange[] {
  const changed = new Map<string, ContactChange>();
  for (const { contactId, change } of changes) {
    const before = contacts.get(contactId);
    const present = changed.get(contactId)?.contact ?? before;
    // A step changes what is known of a contact; it does not bring a deleted one back.
    if (!before || !present || before.subscriptionStatus === 'deleted') continue;
    const merged = mergeContact(present, change, now);
    if (merged.contact !== present) changed.set(contactId, { ...merged, before });
  }
  return [...changed.values()];
}
