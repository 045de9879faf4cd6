/** The report of a simulation, and what a simulation cannot know. */
import type { SampledSend } from './sample-selection.js';
import type { SimulatedGoalCounts } from './goal-counter.js';
import type { FlowNeeds } from './flow-needs.js';
import type { Simulation } from './simulation.js';
import type {
  SimulatedBranchCounts,
  SimulatedDelayStats,
  SimulatedEventCounts,
  SendsOfDay,
  TripsOfDay,
  UnsentCounts,
  SimulatedWaitStats,
} from './simulation-counters.js';

/** The ways in which a simulation deviates from reality, each with a stable code. */
export const APPROXIMATIONS = {
  contacts_as_of_today:
    'Contacts start in their current state. Of their changes during the period, only those that came with ' +
    'events of the flow are applied.',
  segments_as_of_today: 'Contacts are in their current segments.',
  sending_as_of_today: 'Templates, workspace settings and opt-outs are the current ones.',
  sent_at_once: 'A message that can be sent is assumed to be sent immediately and accepted by its server.',
  not_rendered:
    'Only the sample is rendered. Messages that would fail or be suppressed because of a missing field are ' +
    'not detected.',
  other_messages_not_counted: 'Only messages of the simulation count toward the frequency cap.',
  earlier_trips_not_continued: 'Trips in flight before the period are not continued.',
  events_as_kept: 'Events that are no longer stored and the limits of the plan are ignored.',
} as const;
export type Approximation = keyof typeof APPROXIMATIONS;

export interface SimulatedTripCounts {
  readonly started: number;
  readonly completed: number;
  readonly terminated: number;
  readonly failed: number;
  /** Under way at the end of the simulated time: in a wait step, or with a message that a gate holds back. */
  readonly waiting: number;
  readonly heldBack: number;
}

export interface SimulationReport {
  readonly from: Date;
  /** The end of the period, exclusive. */
  readonly to: Date;
  /** Whether the whole period was simulated. If not, time ran out before. */
  readonly complete: boolean;
  /** The end of the simulated time: `to`, or an earlier moment. All figures are as of then. */
  readonly until: Date;
  readonly events: SimulatedEventCounts;
  readonly trips: SimulatedTripCounts;
  readonly tripsByDay: readonly TripsOfDay[];
  readonly sendsByStepAndDay: readonly SendsOfDay[];
  readonly waits: readonly SimulatedWaitStats[];
  readonly delays: readonly SimulatedDelayStats[];
  readonly unsent: readonly UnsentCounts[];
  readonly branches: readonly SimulatedBranchCounts[];
  readonly goals: readonly SimulatedGoalCounts[];
  readonly sampled: readonly (SampledSend & { readonly path: string })[];
  readonly approximations: readonly Approximation[];
}

/** The report of a simulation that is closed. */
export function reportOf(
  { counters, goalCounts, sampled, inFlight }: Simulation,
  { from, to, until }: Pick<SimulationReport, 'from' | 'to' | 'until'>,
  approximations: readonly Approximation[],
): SimulationReport {
  return {
    from,
    to,
    complete: until >= to,
    until,
    events: counters.eventCounts(),
    trips: {
      started: counters.started,
      completed: counters.tripsEndedAs('completed'),
      terminated: counters.tripsEndedAs('terminated'),
      failed: counters.tripsEndedAs('failed'),
      ...inFlight,
    },
    tripsByDay: counters.tripsByDay(from, until < to ? until : new Date(to.getTime() - 1)),
    sendsByStepAndDay: counters.sendsByStepAndDay(),
    waits: counters.waitStats(),
    delays: counters.delayStats(),
    unsent: counters.unsentCounts(),
    branches: counters.branchCounts(),
    goals: goalCounts,
    sampled: sampled.map((send) => ({ ...send, path: counters.stepReference(send.stepId).path })),
    approximations,
  };
}

/** The approximations that apply to a simulation, in the order of the list. */
export function approximationsOf(inputs: {
  readonly needs: FlowNeeds;
  readonly sends: boolean;
  readonly isCapped: boolean;
  readonly countsEarlierTrips: boolean;
}): Approximation[] {
  const { needs, sends, isCapped, countsEarlierTrips } = inputs;
  const applies: Readonly<Record<Approximation, boolean>> = {
    contacts_as_of_today: true,
    segments_as_of_today: needs.segmentIds.size > 0,
    sending_as_of_today: sends,
    sent_at_once: sends,
    not_rendered: sends,
    other_messages_not_counted: sends && isCapped,
    earlier_trips_not_continued: countsEarlierTrips,
    events_as_kept: true,
  };
  return (Object.keys(APPROXIMATIONS) as Approximation[]).filter((code) => applies[code]);
}
