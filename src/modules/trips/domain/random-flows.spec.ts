/**
 * Runs random flows, events and times through the engine's core and through a second, naive implementation
 * (test/support/flow-model.ts), and expects the same trips, messages and ends. The core receives exactly the data
 * that `prefetchNeedsOf` requests.
 */
import fc from 'fast-check';
import {
  FlowModel,
  randomActions,
  randomFlow,
  type ModelAction,
  type ModelEvent,
  type ModelFlow,
  type ModelTrip,
} from '../../../../test/support/flow-model.js';
import { newContact, type Contact } from '../../contacts/domain/contact.js';
import { mergeWithinLimits } from '../../contacts/domain/limited-merge.js';
import type { ListeningFlow } from '../../flows/domain/flow.js';
import { assignStepIds } from '../../flows/domain/step-identity.js';
import type { NewStep, Step } from '../../flows/domain/step.js';
import { settingsOf, stepOf } from '../../flows/domain/written-flow.js';
import type { DoneEvent } from '../../segments/domain/matches-filter.js';
import { DEFAULT_SETTINGS } from '../../flows/domain/flow-settings.js';
import { advance } from './advance.js';
import { contactAssignments } from './contact-assignments.js';
import { prefetchNeedsOf } from './prefetch-needs.js';
import type { EarlierTrips } from './reentry.js';
import { earlierTripsKey, tripStarts } from './trip-starts.js';
import { stateAfter, type TripStateUpdate } from './trip-state-update.js';
import { IN_FLIGHT_STATUSES } from './trip-transitions.js';

const BEGIN = Date.parse('2026-03-02T09:00:00Z');
const MINUTE = 60_000;
const isMember = (contact: string): boolean => contact < 'c';

interface CoreTrip {
  readonly id: string;
  readonly flow: number;
  readonly contact: string;
  readonly trigger: ModelEvent;
  readonly startedAt: Date;
  state: TripStateUpdate;
  readonly sent: { readonly step: number; readonly subject: string | undefined }[];
}

/** The core, with the minimum of code around it, none of which decides anything. */
class Core {
  now = new Date(BEGIN);
  readonly trips: CoreTrip[] = [];
  private readonly contacts = new Map<string, Contact>();
  private readonly latest = new Map<string, Map<string, DoneEvent>>();
  private readonly flows: readonly (ListeningFlow & { readonly steps: readonly Step[] })[];
  private readonly stopped = new Set<number>();
  private readonly deleted = new Set<string>();
  private events = 0;

  constructor(flows: readonly ModelFlow[]) {
    this.flows = flows.map((flow, index) => ({
      id: String(index),
      version: 1,
      triggerEvent: flow.trigger_event,
      triggerConditions: flow.trigger_conditions,
      segmentId: flow.members_only ? 'segment' : null,
      settings: {
        ...DEFAULT_SETTINGS,
        ...settingsOf({ ...flow.settings } as unknown as Parameters<typeof settingsOf>[0]),
      },
      steps: assignStepIds(flow.steps.map((step) => stepOf(step) as NewStep)),
    }));
  }

  do(action: ModelAction): void {
    switch (action.kind) {
      case 'event':
        this.start(action.event);
        break;
      case 'wind':
        this.now = new Date(this.now.getTime() + action.minutes * MINUTE);
        for (const trip of this.trips
          .filter(({ state }) => state.resumeAt !== null && state.resumeAt <= this.now)
          .sort((a, b) => Number(a.state.resumeAt) - Number(b.state.resumeAt)))
          this.advanceTrip(trip);
        break;
      case 'stop':
        this.stopped.add(action.flow);
        this.end(({ flow }) => flow === action.flow, 'flow_stopped');
        break;
      case 'delete':
        this.deleted.add(action.contact);
        this.end(({ contact }) => contact === action.contact, 'contact_deleted');
    }
  }

  private end(which: (trip: CoreTrip) => boolean, endedReason: string): void {
    for (const trip of this.trips.filter(
      (one) => IN_FLIGHT_STATUSES.includes(one.state.status) && which(one),
    ))
      trip.state = { ...trip.state, status: 'terminated', endedReason, resumeAt: null };
  }

  private start(event: ModelEvent): void {
    const id = `event ${this.events++}`;
    const contactReachable = !this.deleted.has(event.contact);
    if (contactReachable) {
      const latest = this.latest.get(event.contact) ?? new Map<string, DoneEvent>();
      this.latest.set(
        event.contact,
        latest.set(event.name, { attributes: event.attributes, occurredAt: this.now }),
      );
    }
    const listening = this.flows.filter((_, index) => !this.stopped.has(index));
    const starts = tripStarts(
      [{ id, name: event.name, attributes: event.attributes, contactId: event.contact, contactReachable }],
      listening,
      this.history(),
      (_, contact) => isMember(contact),
      this.now,
    );
    const trips = starts.map(({ flow }): CoreTrip => ({
      id: `${flow.id} ${id}`,
      flow: Number(flow.id),
      contact: event.contact,
      trigger: event,
      startedAt: this.now,
      state: { status: 'active', lastStep: 0, resumeAt: this.now, completedAt: null, endedReason: null },
      sent: [],
    }));
    this.trips.push(...trips);
    for (const trip of trips) this.advanceTrip(trip);
  }

  private history(): Map<string, EarlierTrips> {
    const history = new Map<string, EarlierTrips>();
    for (const { flow, contact, state, startedAt } of this.trips) {
      const key = earlierTripsKey(String(flow), contact);
      const before = history.get(key);
      history.set(key, {
        count: (before?.count ?? 0) + 1,
        inFlight: (before?.inFlight ?? 0) + (IN_FLIGHT_STATUSES.includes(state.status) ? 1 : 0),
        latestStart: startedAt,
      });
    }
    return history;
  }

  /** Advances the trip; a message has its outcome immediately. */
  private advanceTrip(trip: CoreTrip): void {
    const steps = this.flows[trip.flow]?.steps ?? [];
    for (;;) {
      const { lastStep } = trip.state;
      const needs = prefetchNeedsOf(steps, lastStep);
      const contact = this.contacts.get(trip.contact) ?? newContact(trip.contact, trip.contact, this.now);
      const latest = [...(this.latest.get(trip.contact) ?? [])].filter(([name]) =>
        needs.eventNames.has(name),
      );
      const { decision, contactUpdates } = advance(
        { id: trip.id, lastStep },
        {
          steps,
          contactStatus: 'present',
          contact: needs.readsContact ? contact : undefined,
          latestEvents: new Map(
            latest.map(([name, event]) => [
              name,
              needs.attributeEventNames.has(name) ? event : { ...event, attributes: {} },
            ]),
          ),
          triggerAttributes: needs.readsTriggerEvent ? trip.trigger.attributes : undefined,
          isMember: (id, { externalId }) => needs.segmentIds.has(id) && isMember(externalId),
        },
        this.now,
      );
      if (contactUpdates.length > 0 && !needs.changesContact)
        throw new Error('A change that nobody foresaw.');
      this.contacts.set(
        trip.contact,
        mergeWithinLimits(contact, contactUpdates.map(contactAssignments), this.now).contact,
      );
      trip.state = stateAfter(decision, this.now);
      if (decision.kind !== 'send') return;
      trip.sent.push({ step: decision.lastStep, subject: decision.message.subject });
    }
  }

  properties(contact: string): object {
    return this.contacts.get(contact)?.properties ?? {};
  }
}

const world = fc.integer({ min: 1, max: 3 }).chain((count) =>
  fc.record({
    flows: fc.tuple(...Array.from({ length: count }, (_, index) => randomFlow(`f${index}_`))),
    actions: randomActions(count, 30),
  }),
);

/**
 * A trip is never lost or stuck: it is over, or has a time at which it continues. No step sends its message twice.
 */
function assertSound({ state, sent }: CoreTrip, now: Date): void {
  const isOver = !IN_FLIGHT_STATUSES.includes(state.status);
  const isParked = state.resumeAt !== null && state.resumeAt > now;
  const isTwice = new Set(sent.map(({ step }) => step)).size < sent.length;
  if (isOver === isParked || isTwice) throw new Error(`A trip is astray: ${JSON.stringify({ state, sent })}`);
}

const outcome = (trip: ModelTrip): object => ({
  flow: trip.flow,
  contact: trip.contact,
  status: trip.status,
  reason: trip.reason,
  wakeAt: trip.wakeAt,
  sent: trip.sent,
});

test('the core and a naive account of flows come to the same, in 1,000 worlds', () => {
  let [sends, ends, parks] = [0, 0, 0];
  fc.assert(
    fc.property(world, ({ flows, actions }) => {
      const core = new Core(flows);
      const idOf = ({ flow, event }: ModelTrip): string => `${flow} event ${event}`;
      const model = new FlowModel(flows, BEGIN, idOf, isMember);
      for (const action of actions) {
        core.do(action);
        model.do(action);
        for (const trip of core.trips) assertSound(trip, core.now);
      }
      const found = core.trips.map(({ flow, contact, state, sent }) => ({
        flow,
        contact,
        status: state.status,
        reason: state.endedReason,
        wakeAt: state.resumeAt?.getTime() ?? null,
        sent: sent.map(({ subject }) => subject),
      }));
      expect(found).toEqual(model.trips.map(outcome));
      for (const [contact, properties] of model.properties)
        expect(core.properties(contact)).toEqual(properties);
      sends += found.reduce((all, { sent }) => all + sent.length, 0);
      ends += found.filter(({ status }) => status === 'completed').length;
      parks += found.filter(({ status }) => status === 'paused').length;
    }),
    { numRuns: 1_000 },
  );
  // The random flows exercise all kinds of results.
  expect(Math.min(sends, ends, parks)).toBeGreaterThan(500);
});
