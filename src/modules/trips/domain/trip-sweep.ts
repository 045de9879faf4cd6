/** What is done to all trips of a flow or of a contact, however many, in bites of their own. */

/**
 * - `flow_stopped`: the flow's trips end; until they have, none of them takes a step;
 * - `contact_erased`: what was seen of the contact leaves their trails; until it has, nobody is told of it.
 */
export type SweepKind = 'flow_stopped' | 'contact_erased';

export interface Sweep {
  readonly kind: SweepKind;
  /** The flow or the contact. */
  readonly subjectId: string;
}

/** The trip that was the last of those that are done; a contact's are taken in the order of their flows and starts. */
export interface SweepPlace {
  readonly flowId: string;
  readonly startedAt: Date;
  readonly tripId: string;
}
