/** Types for explaining why a contact received nothing from a flow: the checks, their inputs and their findings. */
import type { JsonObject } from '../../../kernel/json.js';
import type { FlowSettings, FlowStatus, StatusChange } from '../../flows/domain/flow.js';
import type { Explanation } from './explanation.js';

/** A contact, by its id or by the application's identifier for it. */
export type ContactSelector = { readonly id: string } | { readonly externalId: string };

/** The checks, by name. */
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

/** The result of a check. */
export interface SilenceFinding {
  readonly check: SilenceCheck;
  /** Whether it kept the contact from entering the flow or from receiving mail. */
  readonly isAgainst: boolean;
  /** A stable code. */
  readonly reason: string;
  readonly detail: string;
  readonly at: Date | null;
  readonly eventId: string | null;
  readonly tripId: string | null;
  readonly stepPath: string | null;
  readonly facts: JsonObject;
}

/** An event of the contact with the trigger's name. */
export interface TriggerCandidate {
  readonly id: string;
  readonly receivedAt: Date;
  readonly occurredAt: Date;
  /** Null while it waits to be processed. */
  readonly processedAt: Date | null;
  readonly attributes: JsonObject;
  readonly isDeadLetter: boolean;
}

/** A trip of the contact through the flow. */
export interface ContactTrip {
  readonly id: string;
  readonly triggerEventId: string;
  readonly startedAt: Date;
  readonly completedAt: Date | null;
  readonly explanation: Explanation;
}

export interface SilenceInputs {
  readonly flow: {
    readonly status: FlowStatus;
    readonly triggerEvent: string;
    readonly triggerConditions: JsonObject;
    readonly segmentId: string | null;
    readonly settings: FlowSettings;
    readonly createdAt: Date;
    /** When the flow reached which status, latest first. Changes long ago may be unknown. */
    readonly changes: readonly StatusChange[];
  };
  /** Undefined if there is no such contact. */
  readonly contact: { readonly subscriptionStatus: string } | undefined;
  /** Whether the contact is in the flow's segment now; undefined if the flow has none, or if it is unknown. */
  readonly isMember: boolean | undefined;
  /** The latest ones, newest first. */
  readonly events: readonly TriggerCandidate[];
  /** The latest ones, newest first. */
  readonly trips: readonly ContactTrip[];
  /** Whether the caller may see the contact's values. */
  readonly withValues: boolean;
}
