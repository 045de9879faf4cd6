/** What a simulation is told of the world, and the people and trips that it makes of it. */
import type { JsonObject } from '../../../../kernel/json.js';
import type { Contact, ContactChanges } from '../../../contacts/domain/contact.js';
import type { RehearsedMessage } from '../../../delivery/domain/send-rehearsal.js';
import type { SendGate } from '../../../delivery/domain/send-gates.js';
import type { Goal } from '../../../flows/domain/goal.js';
import type { ListeningFlow } from '../../../flows/domain/flow.js';
import type { Step } from '../../../flows/domain/step.js';
import type { Preferences } from '../../../preferences/domain/preferences.js';
import type { DoneEvent } from '../../../segments/domain/decide.js';
import type { SuppressionReason } from '../../../suppressions/domain/suppression.js';
import type { TripStatus } from '../trip-transitions.js';

/** The flow as it is simulated, whatever its status. */
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
  /** Empty where nobody asks about the attributes of events of this name. */
  readonly attributes: JsonObject;
  /** What came along about the contact. */
  readonly contact: ContactChanges | null;
}

/** An event that checks may ask about; of equal moments the later id wins. */
export type KnownEvent = DoneEvent & { readonly id: string };

/** What a contact's trips before the period come to. */
export interface TripsBefore {
  readonly count: number;
  readonly latestStart: Date | null;
  /** When those ended that were under way as the period began; null where one is under way still. */
  readonly endings: readonly (Date | null)[];
}

export const NO_TRIPS_BEFORE: TripsBefore = { count: 0, latestStart: null, endings: [] };

/** A contact as the simulation begins with it. */
export interface KnownPerson {
  readonly contact: Contact;
  /** Whether mail was refused at the contact's identifier or address. */
  readonly hasRefused: boolean;
  /** Why the contact's address is on the list of suppressed ones; null where it is not. */
  readonly suppressedFor: SuppressionReason | null;
  readonly preferences: Preferences;
  /** Those of the segments that the flow asks about of which the contact is a member. */
  readonly segmentIds: ReadonlySet<string>;
  readonly before: TripsBefore;
  /** Of the names that the flow asks about. */
  readonly latestEvents: ReadonlyMap<string, KnownEvent>;
}

/** A contact as the simulation has left it so far. */
export interface Person extends Omit<KnownPerson, 'contact' | 'latestEvents'> {
  contact: Contact;
  readonly latestEvents: Map<string, KnownEvent>;
  /** Kept where goals ask about them. */
  readonly trips: SimulatedTrip[];
  started: number;
  inFlight: number;
  latestStart: Date | null;
}

export interface SimulatedTrip {
  readonly id: string;
  readonly person: Person;
  readonly startedAt: Date;
  readonly triggerEventId: string;
  readonly triggerAttributes: JsonObject | undefined;
  lastStep: number;
  status: TripStatus;
  /** The wait that it stands in. */
  waiting: { readonly stepId: number; readonly since: number } | undefined;
  message: SimulatedMessage | undefined;
}

export interface SimulatedMessage extends RehearsedMessage {
  readonly trip: SimulatedTrip;
  readonly stepId: number;
  readonly contact: Contact;
  /** The gate that holds it back. */
  held: { readonly gate: SendGate; readonly since: number } | undefined;
}
