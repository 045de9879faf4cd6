/** Work on all trips of a flow or of a contact, done in batches, each in its transaction. */

/**
 * - `flow_stopped`: the flow's trips end; until then, none of them takes a step;
 * - `contact_erased`: the contact's values are removed from their trails; until then, no explanation shows them.
 */
export type SweepKind = 'flow_stopped' | 'contact_erased';

export interface Sweep {
  readonly kind: SweepKind;
  /** The flow or the contact. */
  readonly subjectId: string;
}

/** The last trip done. A contact's trips are processed in the order of their flows and starts. */
export interface SweepCursor {
  readonly flowId: string;
  readonly startedAt: Date;
  readonly tripId: string;
}
