/** The inputs of a simulation, and the contacts and trips that it derives from them. */
import type { JsonObject } from '../../../../kernel/json.js';
import type { Contact, ContactChanges } from '../../../contacts/domain/contact.js';
import type { SendSimulationMessage } from '../../../delivery/domain/send-simulation.js';
import type { SendGate } from '../../../delivery/domain/send-gates.js';
import type { Goal } from '../../../flows/domain/goal.js';
import type { ListeningFlow } from '../../../flows/domain/flow.js';
import type { Step } from '../../../flows/domain/step.js';
import type { Preferences } from '../../../preferences/domain/preferences.js';
import type { DoneEvent } from '../../../segments/domain/matches-filter.js';
import type { SuppressionReason } from '../../../suppressions/domain/suppression.js';
import type { TripStatus } from '../trip-transitions.js';

/** The flow to simulate, whatever its status. */
export interface SimulatedFlow extends ListeningFlow {
  readonly steps: readonly Step[];
  readonly goals: readonly Goal[];
}

/** An event as it was accepted. */
export interface PastEvent {
  readonly id: string;
  readonly name: string;
  readonly externalId: string;
  readonly acceptedAt: Date;
  readonly occurredAt: Date;
  /** Empty if nothing needs the attributes of events of this name. */
  readonly attributes: JsonObject;
  /** The contact data that came with the event. */
  readonly contact: ContactChanges | null;
}

/** An event that checks may concern. If two occurred at the same time, the larger id is the later one. */
export type KnownEvent = DoneEvent & { readonly id: string };

/** A summary of a contact's trips before the period. */
export interface TripsBefore {
  readonly count: number;
  readonly latestStart: Date | null;
  /** When trips ended that were under way at the start of the period; null for one that is still under way. */
  readonly endings: readonly (Date | null)[];
}

export const NO_TRIPS_BEFORE: TripsBefore = { count: 0, latestStart: null, endings: [] };

/** A contact's state at the start of the simulation. */
export interface InitialContactState {
  readonly contact: Contact;
  /** Whether the contact's identifier or address has opted out of mail. */
  readonly hasOptedOut: boolean;
  /** Why the contact's address is suppressed; null if it is not. */
  readonly suppressedFor: SuppressionReason | null;
  readonly preferences: Preferences;
  /** Those of the flow's segments that contain the contact. */
  readonly segmentIds: ReadonlySet<string>;
  readonly before: TripsBefore;
  /** For the event names that the flow checks. */
  readonly latestEvents: ReadonlyMap<string, KnownEvent>;
}

/** A contact's current state in the simulation. */
export interface SimulatedContactState extends Omit<InitialContactState, 'contact' | 'latestEvents'> {
  contact: Contact;
  readonly latestEvents: Map<string, KnownEvent>;
  /** Stored only if the flow has goals. */
  readonly trips: SimulatedTrip[];
  started: number;
  inFlight: number;
  latestStart: Date | null;
}

export interface SimulatedTrip {
  readonly id: string;
  readonly contactState: SimulatedContactState;
  readonly startedAt: Date;
  readonly triggerEventId: string;
  readonly triggerAttributes: JsonObject | undefined;
  lastStep: number;
  status: TripStatus;
  /** The wait step that the trip is in. */
  waiting: { readonly stepId: number; readonly since: number } | undefined;
  message: SimulatedMessage | undefined;
}

export interface SimulatedMessage extends SendSimulationMessage {
  readonly trip: SimulatedTrip;
  readonly stepId: number;
  readonly contact: Contact;
  /** The gate that holds it back. */
  hold: { readonly gate: SendGate; readonly since: number } | undefined;
}
