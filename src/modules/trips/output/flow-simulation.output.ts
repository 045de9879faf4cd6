/** The report of a simulation, in GraphQL. */
import { Out, Output } from '../../../platform/output/output-class.js';
import type { FlowSimulation } from '../application/flow-simulation.service.js';
import { APPROXIMATIONS } from '../domain/simulation/simulation-report.js';

class OfStep {
  @Out('Int') stepId: number;
  @Out('String', { description: 'Position of the step, for example steps[2].branches[0].steps[1].' })
  path: string;
}

class OfStepWithTime extends OfStep {
  @Out('Float', { nullable: true, description: 'The longest completed one. Null if none completed.' })
  longestSeconds: number | null;
  @Out('Float', { nullable: true }) medianSeconds: number | null;
}

@Output({ graphql: 'SimulatedLeftOut' })
class SimulatedLeftOutOutput {
  @Out('String', {
    description:
      'contact_unreachable, conditions_do_not_match, not_in_segment, reentry_never, reentry_after_completion or ' +
      'reentry_cooldown',
  })
  reason: string;
  @Out('Int') events: number;
}

@Output({ graphql: 'SimulatedEvents' })
class SimulatedEventsOutput {
  @Out('Int', { description: 'All events that were read, including those for goals and checks.' })
  read: number;
  @Out('Int', { description: 'Events with the trigger’s name.' }) seen: number;
  @Out('Int', { description: 'Events that also match the trigger’s conditions.' }) matched: number;
  @Out([SimulatedLeftOutOutput], {
    description: 'Events with the trigger’s name that start no trip, by reason.',
  })
  leftOut: readonly SimulatedLeftOutOutput[];
}

@Output({ graphql: 'SimulatedTrips' })
class SimulatedTripsOutput {
  @Out('Int') started: number;
  @Out('Int') completed: number;
  @Out('Int', { description: 'Ended by a conversion.' }) terminated: number;
  @Out('Int') failed: number;
  @Out('Int', { description: 'In a wait step at the end of the period.' }) waiting: number;
  @Out('Int', { description: 'With a message held by a gate at the end of the period.' })
  heldBack: number;
}

@Output({ graphql: 'SimulatedTripsOfDay' })
class SimulatedTripsOfDayOutput {
  @Out('String', { description: 'In UTC, as YYYY-MM-DD.' }) day: string;
  @Out('Int') started: number;
  @Out('Int') completed: number;
  @Out('Int', { description: 'Terminated or failed.' }) endedEarly: number;
  @Out('Int', { description: 'In flight at the end of the day.' }) inFlight: number;
}

@Output({ graphql: 'SimulatedSendsOfDay' })
class SimulatedSendsOfDayOutput extends OfStep {
  @Out('String', { description: 'In UTC, as YYYY-MM-DD.' }) day: string;
  @Out('Int') sent: number;
  @Out('Int') suppressed: number;
  @Out('Int') failed: number;
}

@Output({ graphql: 'SimulatedWait' })
class SimulatedWaitOutput extends OfStepWithTime {
  @Out('Int') trips: number;
  @Out('Int', { description: 'Trips still waiting at the end of the period.' }) stillWaiting: number;
}

@Output({ graphql: 'SimulatedDelay' })
class SimulatedDelayOutput extends OfStepWithTime {
  @Out('String', { description: 'send_window, do_not_disturb, frequency_cap or throttle' }) gate: string;
  @Out('Int') messages: number;
  @Out('Int', { description: 'Messages still held at the end of the period.' }) stillHeld: number;
}

@Output({ graphql: 'SimulatedUnsent' })
class SimulatedUnsentOutput extends OfStep {
  @Out('String', { description: 'suppressed or failed' }) kind: string;
  @Out('String', { description: 'The same as suppressedReason or errorCode of an email log.' })
  reason: string;
  @Out('Int') messages: number;
}

@Output({ graphql: 'SimulatedBranch' })
class SimulatedBranchOutput extends OfStep {
  @Out('String', {
    description:
      'For a condition, true or false. For a split, the index of the branch or variant, starting at 0, or none.',
  })
  way: string;
  @Out('String', { description: 'Name of the branch, or its condition.' }) name: string;
  @Out('Int') trips: number;
}

@Output({ graphql: 'SimulatedGoal' })
class SimulatedGoalOutput {
  @Out('ID') goalId: string;
  @Out('String') name: string;
  @Out('String') eventName: string;
  @Out('Int', { description: 'Trips that converted. Each counts once.' }) conversions: number;
  @Out('Int') totalConversions: number;
  @Out('Int', { description: 'Trips ended by the goal.' }) exits: number;
}

@Output({ graphql: 'SimulatedEmail' })
class SimulatedEmailOutput extends OfStep {
  @Out('DateTime') at: Date;
  @Out('String') externalId: string;
  @Out('String', { nullable: true }) to: string | null;
  @Out('String', { nullable: true }) subject: string | null;
  @Out('String', { nullable: true }) html: string | null;
  @Out('String', { nullable: true }) text: string | null;
  @Out('String', {
    nullable: true,
    description: 'Why there is no content: a missing required field or a rendering error. Null otherwise.',
  })
  unsentReason: string | null;
}

@Output({ graphql: 'SimulationApproximation' })
class SimulationApproximationOutput {
  @Out('String', { description: Object.keys(APPROXIMATIONS).join(', ') }) code: string;
  @Out('String') description: string;
}

@Output({
  graphql: 'FlowSimulation',
  description: 'What a flow would have done in a period. Nothing was actually done.',
})
export class FlowSimulationOutput {
  @Out('ID', { nullable: true }) flowId: string | null;
  @Out('Int', { nullable: true, description: 'Null for a draft.' }) flowVersion: number | null;
  @Out('String') flowName: string;
  @Out('DateTime') from: Date;
  @Out('DateTime', { description: 'End of the period, exclusive.' }) to: Date;
  @Out('Boolean', {
    description: 'Whether the whole period was simulated. False if the time limit was reached first.',
  })
  complete: boolean;
  @Out('DateTime', {
    description: 'The time up to which events were simulated. All counts are as of this time.',
  })
  until: Date;
  @Out(SimulatedEventsOutput) events: SimulatedEventsOutput;
  @Out(SimulatedTripsOutput) trips: SimulatedTripsOutput;
  @Out([SimulatedTripsOfDayOutput]) tripsByDay: readonly SimulatedTripsOfDayOutput[];
  @Out([SimulatedSendsOfDayOutput]) sendsByStepAndDay: readonly SimulatedSendsOfDayOutput[];
  @Out([SimulatedWaitOutput]) waits: readonly SimulatedWaitOutput[];
  @Out([SimulatedDelayOutput]) delays: readonly SimulatedDelayOutput[];
  @Out([SimulatedUnsentOutput]) unsent: readonly SimulatedUnsentOutput[];
  @Out([SimulatedBranchOutput]) branches: readonly SimulatedBranchOutput[];
  @Out([SimulatedGoalOutput]) goals: readonly SimulatedGoalOutput[];

  @Out([SimulatedEmailOutput], {
    description: 'At most 5. Addresses are masked without permission to read contacts.',
  })
  sample: readonly SimulatedEmailOutput[];

  @Out([SimulationApproximationOutput], { description: 'The limits of the simulation’s accuracy.' })
  approximations: readonly SimulationApproximationOutput[];
}

export function flowSimulationOutput(simulation: FlowSimulation): FlowSimulationOutput {
  const { approximations, ...rest } = simulation;
  return {
    ...rest,
    approximations: approximations.map((code) => ({ code, description: APPROXIMATIONS[code] })),
  };
}
