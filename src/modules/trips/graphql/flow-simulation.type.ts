/** GraphQL types for the report of a simulation. */
import { Field, Float, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { FlowSimulation } from '../application/flow-simulation.service.js';
import { APPROXIMATIONS } from '../domain/simulation/simulation-report.js';

@ObjectType({ isAbstract: true })
class OfStep {
  @Field(() => Int) stepId: number;
  @Field({ description: 'Position of the step, for example steps[2].branches[0].steps[1].' }) path: string;
}

@ObjectType({ isAbstract: true })
class OfStepWithTime extends OfStep {
  @Field(() => Float, { nullable: true, description: 'The longest completed one. Null if none completed.' })
  longestSeconds: number | null;
  @Field(() => Float, { nullable: true }) medianSeconds: number | null;
}

@ObjectType('SimulatedLeftOut')
export class SimulatedLeftOutType {
  @Field({
    description:
      'contact_unreachable, conditions_do_not_match, not_in_segment, reentry_never, reentry_after_completion or ' +
      'reentry_cooldown',
  })
  reason: string;
  @Field(() => Int) events: number;
}

@ObjectType('SimulatedEvents')
export class SimulatedEventsType {
  @Field(() => Int, { description: 'All events that were read, including those for goals and checks.' })
  read: number;
  @Field(() => Int, { description: 'Events with the trigger’s name.' }) seen: number;
  @Field(() => Int, { description: 'Events that also match the trigger’s conditions.' }) matched: number;
  @Field(() => [SimulatedLeftOutType], {
    description: 'Events with the trigger’s name that start no trip, by reason.',
  })
  leftOut: readonly SimulatedLeftOutType[];
}

@ObjectType('SimulatedTrips')
export class SimulatedTripsType {
  @Field(() => Int) started: number;
  @Field(() => Int) completed: number;
  @Field(() => Int, { description: 'Ended by a conversion.' }) terminated: number;
  @Field(() => Int) failed: number;
  @Field(() => Int, { description: 'In a wait step at the end of the period.' }) waiting: number;
  @Field(() => Int, { description: 'With a message held by a gate at the end of the period.' })
  heldBack: number;
}

@ObjectType('SimulatedTripsOfDay')
export class SimulatedTripsOfDayType {
  @Field({ description: 'In UTC, as YYYY-MM-DD.' }) day: string;
  @Field(() => Int) started: number;
  @Field(() => Int) completed: number;
  @Field(() => Int, { description: 'Terminated or failed.' }) endedEarly: number;
  @Field(() => Int, { description: 'In flight at the end of the day.' }) inFlight: number;
}

@ObjectType('SimulatedSendsOfDay')
export class SimulatedSendsOfDayType extends OfStep {
  @Field({ description: 'In UTC, as YYYY-MM-DD.' }) day: string;
  @Field(() => Int) sent: number;
  @Field(() => Int) suppressed: number;
  @Field(() => Int) failed: number;
}

@ObjectType('SimulatedWait')
export class SimulatedWaitType extends OfStepWithTime {
  @Field(() => Int) trips: number;
  @Field(() => Int, { description: 'Trips still waiting at the end of the period.' }) stillWaiting: number;
}

@ObjectType('SimulatedDelay')
export class SimulatedDelayType extends OfStepWithTime {
  @Field({ description: 'send_window, do_not_disturb, frequency_cap or throttle' }) gate: string;
  @Field(() => Int) messages: number;
  @Field(() => Int, { description: 'Messages still held at the end of the period.' }) stillHeld: number;
}

@ObjectType('SimulatedUnsent')
export class SimulatedUnsentType extends OfStep {
  @Field({ description: 'suppressed or failed' }) kind: string;
  @Field({ description: 'The same as suppressedReason or errorCode of an email log.' }) reason: string;
  @Field(() => Int) messages: number;
}

@ObjectType('SimulatedBranch')
export class SimulatedBranchType extends OfStep {
  @Field({
    description:
      'For a condition, true or false. For a split, the index of the branch or variant, starting at 0, or none.',
  })
  way: string;
  @Field({ description: 'Name of the branch, or its condition.' }) name: string;
  @Field(() => Int) trips: number;
}

@ObjectType('SimulatedGoal')
export class SimulatedGoalType {
  @Field(() => ID) goalId: string;
  @Field() name: string;
  @Field() eventName: string;
  @Field(() => Int, { description: 'Trips that converted. Each counts once.' }) conversions: number;
  @Field(() => Int) totalConversions: number;
  @Field(() => Int, { description: 'Trips ended by the goal.' }) exits: number;
}

@ObjectType('SimulatedEmail')
export class SimulatedEmailType extends OfStep {
  @Field(() => GraphQLISODateTime) at: Date;
  @Field() externalId: string;
  @Field(() => String, { nullable: true }) to: string | null;
  @Field(() => String, { nullable: true }) subject: string | null;
  @Field(() => String, { nullable: true }) html: string | null;
  @Field(() => String, { nullable: true }) text: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Why there is no content: a missing required field or a rendering error. Null otherwise.',
  })
  unsentReason: string | null;
}

@ObjectType('SimulationApproximation')
export class SimulationApproximationType {
  @Field({ description: Object.keys(APPROXIMATIONS).join(', ') }) code: string;
  @Field() description: string;
}

@ObjectType('FlowSimulation', {
  description: 'What a flow would have done in a period. Nothing was actually done.',
})
export class FlowSimulationType {
  @Field(() => ID, { nullable: true }) flowId: string | null;
  @Field(() => Int, { nullable: true, description: 'Null for a draft.' }) flowVersion: number | null;
  @Field() flowName: string;
  @Field(() => GraphQLISODateTime) from: Date;
  @Field(() => GraphQLISODateTime, { description: 'End of the period, exclusive.' }) to: Date;
  @Field({
    description: 'Whether the whole period was simulated. False if the time limit was reached first.',
  })
  complete: boolean;
  @Field(() => GraphQLISODateTime, {
    description: 'The time up to which events were simulated. All counts are as of this time.',
  })
  until: Date;
  @Field() events: SimulatedEventsType;
  @Field() trips: SimulatedTripsType;
  @Field(() => [SimulatedTripsOfDayType]) tripsByDay: readonly SimulatedTripsOfDayType[];
  @Field(() => [SimulatedSendsOfDayType]) sendsByStepAndDay: readonly SimulatedSendsOfDayType[];
  @Field(() => [SimulatedWaitType]) waits: readonly SimulatedWaitType[];
  @Field(() => [SimulatedDelayType]) delays: readonly SimulatedDelayType[];
  @Field(() => [SimulatedUnsentType]) unsent: readonly SimulatedUnsentType[];
  @Field(() => [SimulatedBranchType]) branches: readonly SimulatedBranchType[];
  @Field(() => [SimulatedGoalType]) goals: readonly SimulatedGoalType[];

  @Field(() => [SimulatedEmailType], {
    description: 'At most 5. Addresses are masked without permission to read contacts.',
  })
  sample: readonly SimulatedEmailType[];

  @Field(() => [SimulationApproximationType], { description: 'The limits of the simulation’s accuracy.' })
  approximations: readonly SimulationApproximationType[];
}

export function flowSimulationType(simulation: FlowSimulation): FlowSimulationType {
  const { approximations, ...rest } = simulation;
  return {
    ...rest,
    approximations: approximations.map((code) => ({ code, description: APPROXIMATIONS[code] })),
  };
}
