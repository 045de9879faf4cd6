/** What a simulation has come to, as the dashboard sees it. */
import { Field, Float, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { FlowSimulation } from '../application/flow-simulation.service.js';
import { APPROXIMATIONS } from '../domain/simulation/simulation-report.js';

@ObjectType({ isAbstract: true })
class OfStep {
  @Field(() => Int) stepId: number;
  @Field({ description: 'Where the step stands, such as steps[2].branches[0].steps[1].' }) path: string;
}

@ObjectType({ isAbstract: true })
class OfStepWithTime extends OfStep {
  @Field(() => Float, { nullable: true, description: 'Of those that are over; null where none is.' })
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
  @Field(() => Int, { description: 'All that were looked at, those of goals and checks among them.' })
  read: number;
  @Field(() => Int, { description: 'Those of the trigger’s name.' }) seen: number;
  @Field(() => Int, { description: 'Those of them that match the trigger’s conditions.' }) matched: number;
  @Field(() => [SimulatedLeftOutType], { description: 'Of those that were seen, by why they start no trip.' })
  leftOut: readonly SimulatedLeftOutType[];
}

@ObjectType('SimulatedTrips')
export class SimulatedTripsType {
  @Field(() => Int) started: number;
  @Field(() => Int) completed: number;
  @Field(() => Int, { description: 'Ended by a conversion.' }) terminated: number;
  @Field(() => Int) failed: number;
  @Field(() => Int, { description: 'In a wait step as the period ends.' }) waiting: number;
  @Field(() => Int, { description: 'With a message that a gate holds back as the period ends.' })
  heldBack: number;
}

@ObjectType('SimulatedTripsOfDay')
export class SimulatedTripsOfDayType {
  @Field({ description: 'In UTC, YYYY-MM-DD.' }) day: string;
  @Field(() => Int) started: number;
  @Field(() => Int) completed: number;
  @Field(() => Int, { description: 'Terminated or failed.' }) endedEarly: number;
  @Field(() => Int, { description: 'Under way as the day ends.' }) inFlight: number;
}

@ObjectType('SimulatedSendsOfDay')
export class SimulatedSendsOfDayType extends OfStep {
  @Field({ description: 'In UTC, YYYY-MM-DD.' }) day: string;
  @Field(() => Int) sent: number;
  @Field(() => Int) suppressed: number;
  @Field(() => Int) failed: number;
}

@ObjectType('SimulatedWait')
export class SimulatedWaitType extends OfStepWithTime {
  @Field(() => Int) trips: number;
  @Field(() => Int, { description: 'Of the trips, still there as the period ends.' }) stillWaiting: number;
}

@ObjectType('SimulatedDelay')
export class SimulatedDelayType extends OfStepWithTime {
  @Field({ description: 'send_window, do_not_disturb, frequency_cap or throttle' }) gate: string;
  @Field(() => Int) messages: number;
  @Field(() => Int, { description: 'Of the messages, still held as the period ends.' }) stillHeld: number;
}

@ObjectType('SimulatedUnsent')
export class SimulatedUnsentType extends OfStep {
  @Field({ description: 'suppressed or failed' }) kind: string;
  @Field({ description: 'As suppressedReason or errorCode of an email log.' }) reason: string;
  @Field(() => Int) messages: number;
}

@ObjectType('SimulatedBranch')
export class SimulatedBranchType extends OfStep {
  @Field({
    description:
      'true or false of a condition; of a split the index of the branch or variant, from 0 as in paths, or none.',
  })
  way: string;
  @Field({ description: 'As the way is called, or what it asks.' }) name: string;
  @Field(() => Int) trips: number;
}

@ObjectType('SimulatedGoal')
export class SimulatedGoalType {
  @Field(() => ID) goalId: string;
  @Field() name: string;
  @Field() eventName: string;
  @Field(() => Int, { description: 'Trips that converted, each once.' }) conversions: number;
  @Field(() => Int) totalConversions: number;
  @Field(() => Int, { description: 'Trips that the goal ended.' }) exits: number;
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
    description: 'Why there is no text: a required field that is missing, an error of rendering.',
  })
  unsentReason: string | null;
}

@ObjectType('SimulationApproximation')
export class SimulationApproximationType {
  @Field({ description: Object.keys(APPROXIMATIONS).join(', ') }) code: string;
  @Field() description: string;
}

@ObjectType('FlowSimulation', { description: 'What a flow would have done in a period; nothing was.' })
export class FlowSimulationType {
  @Field(() => ID, { nullable: true }) flowId: string | null;
  @Field(() => Int, { nullable: true, description: 'Null for a draft.' }) flowVersion: number | null;
  @Field() flowName: string;
  @Field(() => GraphQLISODateTime) from: Date;
  @Field(() => GraphQLISODateTime, { description: 'Does not belong to the period any more.' }) to: Date;
  @Field({ description: 'Whether all of the period was simulated; else the time was over before.' })
  complete: boolean;
  @Field(() => GraphQLISODateTime, {
    description: 'Up to when it was simulated: all figures are as of then.',
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
    description: 'At most 5; addresses are masked for whoever may not read contacts.',
  })
  sample: readonly SimulatedEmailType[];

  @Field(() => [SimulationApproximationType], { description: 'What the simulation cannot know.' })
  approximations: readonly SimulationApproximationType[];
}

export function flowSimulationType(simulation: FlowSimulation): FlowSimulationType {
  const { approximations, ...rest } = simulation;
  return {
    ...rest,
    approximations: approximations.map((code) => ({ code, description: APPROXIMATIONS[code] })),
  };
}
