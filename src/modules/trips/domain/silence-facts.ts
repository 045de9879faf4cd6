/** What is asked about a contact that a flow left alone, what is known, and what is answered. */
import type { JsonObject } from '../../../kernel/json.js';
import type { FlowSettings, FlowStatus, StatusChange } from '../../flows/domain/flow.js';
import type { Explanation } from './explanation.js';

/** A contact by its id, or by the application's name for it. */
export type WhichContact = { readonly id: string } | { readonly externalId: string };

/** What was asked. */
export const SILENCE_CHECKS = [
  'event',
  'contact',
  'flow',
  'conditions',
  'segment',
  'reentry',
  'entry',
  'message',
  'way',
  'wait',
  'end',
] as const;
export type SilenceCheck = (typeof SILENCE_CHECKS)[number];

/** An answer to what was asked. */
export interface SilenceFinding {
  readonly check: SilenceCheck;
  /** Whether it kept the contact from being entered or mailed. */
  readonly isAgainst: boolean;
  /** A code that does not change. */
  readonly reason: string;
  readonly detail: string;
  readonly at: Date | null;
  readonly eventId: string | null;
  readonly tripId: string | null;
  readonly stepPath: string | null;
  readonly facts: JsonObject;
}

/** The contact's event of the trigger's name. */
export interface TriggerCandidate {
  readonly id: string;
  readonly receivedAt: Date;
  readonly occurredAt: Date;
  /** Null while it waits for its turn. */
  readonly processedAt: Date | null;
  readonly attributes: JsonObject;
  readonly isSetAside: boolean;
}

/** A trip of the contact through the flow. */
export interface TripThrough {
  readonly id: string;
  readonly triggerEventId: string;
  readonly startedAt: Date;
  readonly completedAt: Date | null;
  readonly explanation: Explanation;
}

export interface SilenceFacts {
  readonly flow: {
    readonly status: FlowStatus;
    readonly triggerEvent: string;
    readonly triggerConditions: JsonObject;
    readonly segmentId: string | null;
    readonly settings: FlowSettings;
    readonly createdAt: Date;
    /** When it came to which status, the latest first; of changes long ago nothing may be known. */
    readonly changes: readonly StatusChange[];
  };
  /** Undefined when there is no such contact. */
  readonly contact: { readonly subscriptionStatus: string } | undefined;
  /** Whether the contact is in the flow's segment now; undefined when the flow has none, or nobody knows. */
  readonly isMember: boolean | undefined;
  /** The latest, the newest first. */
  readonly events: readonly TriggerCandidate[];
  /** The latest, the newest first. */
  readonly trips: readonly TripThrough[];
  /** Whether the caller may see the contact's values. */
  readonly withValues: boolean;
}
