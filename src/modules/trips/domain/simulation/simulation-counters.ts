/** Counts what a simulation does while it runs: by step, day, gate and reason, never by trip. */
import { DAY } from '../../../../kernel/duration.js';
import type { SimulatedSend, SimulatedSendOutcome } from '../../../delivery/domain/send-simulation.js';
import type { SendGate } from '../../../delivery/domain/send-gates.js';
import type { Step } from '../../../flows/domain/step.js';
import { stepsWithPaths, type StepWithPath } from '../../../flows/domain/step-tree.js';
import { branchesOf } from '../../../flows/domain/step-branches.js';
import type { TracedStep } from '../decision.js';
import type { StartRefusal } from '../trip-starts.js';
import type { TripStatus } from '../trip-transitions.js';
import { Durations, type DurationStats } from './durations.js';
import type { BranchKey } from '../../../flows/domain/steps/branch.js';

/** A step, as reports name it: by its id, and by its position in the flow. */
export interface StepReference {
  readonly stepId: number;
  /** Such as `steps[2].branches[0].steps[1]`. */
  readonly path: string;
}

export interface TripsOfDay {
  /** In UTC, YYYY-MM-DD. */
  readonly day: string;
  readonly started: number;
  readonly completed: number;
  /** Ended before the flow's end: terminated or failed. */
  readonly endedEarly: number;
  /** Under way at the end of the day. */
  readonly inFlight: number;
}

export interface SendsOfDay extends StepReference {
  readonly day: string;
  readonly sent: number;
  readonly suppressed: number;
  readonly failed: number;
}

/** How long trips stayed in a wait, including waits that were cut short. */
export interface SimulatedWaitStats extends StepReference, DurationStats {
  readonly trips: number;
  /** Of them, still waiting when the period ends. */
  readonly stillWaiting: number;
}

/** How long a gate held messages back. */
export interface SimulatedDelayStats extends StepReference, DurationStats {
  readonly gate: SendGate;
  readonly messages: number;
  /** Of them, still held back when the period ends. */
  readonly stillHeld: number;
}

export interface UnsentCounts extends StepReference {
  readonly kind: 'suppressed' | 'failed';
  readonly reason: string;
  readonly messages: number;
}

/** How many trips took each branch of a condition or a split. */
export interface SimulatedBranchCounts extends StepReference {
  readonly way: BranchKey;
  /** The branch's name, see `branchesOf`. */
  readonly name: string;
  readonly trips: number;
}

/** What happened to the events with the trigger's name. */
export interface SimulatedEventCounts {
  /** All events that were read, including those of goals and checks. */
  readonly read: number;
  /** Those with the trigger's name. */
  readonly seen: number;
  /** Those of them that match the trigger's conditions. */
  readonly matched: number;
  readonly leftOut: readonly { readonly reason: StartRefusal; readonly events: number }[];
}

const DAY_COUNTER_BY_STATUS: Readonly<Record<string, 'completed' | 'endedEarly'>> = {
  completed: 'completed',
  terminated: 'endedEarly',
  failed: 'endedEarly',
};

interface DayCounts {
  started: number;
  completed: number;
  endedEarly: number;
}

interface SendCounts {
  sent: number;
  suppressed: number;
  failed: number;
}

export class SimulationCounters {
  private readonly allSteps: readonly StepWithPath<Step>[];
  private readonly paths: ReadonlyMap<number, string>;
  private readonly days = new Map<number, DayCounts>();
  private readonly sends = new Map<string, SendCounts & { readonly stepId: number; readonly day: number }>();
  private readonly waits = new Map<number, Durations>();
  private readonly delays = new Map<string, { stepId: number; gate: SendGate; durations: Durations }>();
  private readonly unsent = new Map<string, { stepId: number; outcome: UnsentOutcome; messages: number }>();
  /** By step and branch. */
  private readonly tripsByBranch = new Map<number, Map<string, number>>();
  private readonly eventsByRefusal = new Map<StartRefusal, number>();
  private readonly tripsByEndStatus = new Map<TripStatus, number>();
  private eventsRead = 0;
  private triggersSeen = 0;

  constructor(steps: readonly Step[]) {
    this.allSteps = stepsWithPaths<Step>(steps);
    this.paths = new Map(this.allSteps.map(({ step, path }) => [step.id, path]));
  }

  countEvent(): void {
    this.eventsRead++;
  }

  countTrigger(refusal: StartRefusal | null): void {
    this.triggersSeen++;
    if (refusal) this.eventsByRefusal.set(refusal, (this.eventsByRefusal.get(refusal) ?? 0) + 1);
  }

  countTripStart(at: Date): void {
    this.day(at).started++;
  }

  countTripEnd(status: TripStatus, at: Date): void {
    const counter = DAY_COUNTER_BY_STATUS[status];
    if (counter) this.day(at)[counter]++;
    this.tripsByEndStatus.set(status, (this.tripsByEndStatus.get(status) ?? 0) + 1);
  }

  countSteps(trace: readonly TracedStep[]): void {
    for (const { stepId, way } of trace) {
      if (way === '') continue;
      let tripsByBranch = this.tripsByBranch.get(stepId);
      if (!tripsByBranch) this.tripsByBranch.set(stepId, (tripsByBranch = new Map<string, number>()));
      tripsByBranch.set(way, (tripsByBranch.get(way) ?? 0) + 1);
    }
  }

  addWait(stepId: number, milliseconds: number, isOver: boolean): void {
    let durations = this.waits.get(stepId);
    if (!durations) this.waits.set(stepId, (durations = new Durations()));
    durations.add(milliseconds, isOver);
  }

  addDelay(stepId: number, gate: SendGate, milliseconds: number, isOver: boolean): void {
    const key = `${stepId} ${gate}`;
    let known = this.delays.get(key);
    if (!known) this.delays.set(key, (known = { stepId, gate, durations: new Durations() }));
    known.durations.add(milliseconds, isOver);
  }

  countMessage(stepId: number, outcome: SimulatedSendOutcome, at: Date): void {
    const day = dayOf(at);
    const key = `${stepId} ${day}`;
    let counts = this.sends.get(key);
    if (!counts) this.sends.set(key, (counts = { stepId, day, sent: 0, suppressed: 0, failed: 0 }));
    counts[outcome.kind]++;
    if (outcome.kind === 'sent') return;
    const reason = `${stepId} ${outcome.kind} ${outcome.reason}`;
    const known = this.unsent.get(reason);
    if (known) known.messages++;
    else this.unsent.set(reason, { stepId, outcome, messages: 1 });
  }

  eventCounts(): SimulatedEventCounts {
    const leftOut = [...this.eventsByRefusal].map(([reason, events]) => ({ reason, events }));
    const unmatched = this.eventsByRefusal.get('conditions_do_not_match') ?? 0;
    return {
      read: this.eventsRead,
      seen: this.triggersSeen,
      matched: this.triggersSeen - unmatched,
      leftOut,
    };
  }

  tripsEndedAs(status: TripStatus): number {
    return this.tripsByEndStatus.get(status) ?? 0;
  }

  get started(): number {
    return [...this.days.values()].reduce((sum, { started }) => sum + started, 0);
  }

  /** All days of the period, including those on which nothing happens. */
  tripsByDay(from: Date, to: Date): TripsOfDay[] {
    const list: TripsOfDay[] = [];
    let inFlight = 0;
    for (let day = dayOf(from); day <= dayOf(to); day++) {
      const counts = this.days.get(day) ?? { started: 0, completed: 0, endedEarly: 0 };
      inFlight += counts.started - counts.completed - counts.endedEarly;
      list.push({ day: dayName(day), ...counts, inFlight });
    }
    return list;
  }

  sendsByStepAndDay(): SendsOfDay[] {
    return this.inStepOrder([...this.sends.values()], (a, b) => a.day - b.day).map(
      ({ stepId, day, sent, suppressed, failed }) => ({
        ...this.stepReference(stepId),
        day: dayName(day),
        sent,
        suppressed,
        failed,
      }),
    );
  }

  waitStats(): SimulatedWaitStats[] {
    const all = [...this.waits].map(([stepId, durations]) => ({ stepId, lengths: durations }));
    return this.inStepOrder(all, () => 0).map(({ stepId, lengths: durations }) => ({
      ...this.stepReference(stepId),
      trips: durations.count,
      stillWaiting: durations.open,
      ...durations.stats(),
    }));
  }

  delayStats(): SimulatedDelayStats[] {
    return this.inStepOrder([...this.delays.values()], (a, b) => compare(a.gate, b.gate)).map(
      ({ stepId, gate, durations }) => ({
        ...this.stepReference(stepId),
        gate,
        messages: durations.count,
        stillHeld: durations.open,
        ...durations.stats(),
      }),
    );
  }

  unsentCounts(): UnsentCounts[] {
    return this.inStepOrder([...this.unsent.values()], (a, b) =>
      compare(a.outcome.reason, b.outcome.reason),
    ).map(({ stepId, outcome: { kind, reason }, messages }) => ({
      ...this.stepReference(stepId),
      kind,
      reason,
      messages,
    }));
  }

  /** All branches of all conditions and splits, including those that no trip took. */
  branchCounts(): SimulatedBranchCounts[] {
    return this.allSteps.flatMap(({ step, path }) =>
      (branchesOf(step) ?? []).map(({ way, name }) => {
        const trips = this.tripsByBranch.get(step.id)?.get(way) ?? 0;
        return { stepId: step.id, path, way, name, trips };
      }),
    );
  }

  stepReference(stepId: number): StepReference {
    return { stepId, path: this.paths.get(stepId) ?? '' };
  }

  /** In the order of the steps in the flow, and within a step in the order of `next`. */
  private inStepOrder<Item extends { readonly stepId: number }>(
    items: readonly Item[],
    next: (one: Item, other: Item) => number,
  ): Item[] {
    const positions = new Map([...this.paths.keys()].map((stepId, position) => [stepId, position]));
    const positionOf = ({ stepId }: Item): number => positions.get(stepId) ?? -1;
    return items.toSorted((a, b) => positionOf(a) - positionOf(b) || next(a, b));
  }

  private day(at: Date): DayCounts {
    const day = dayOf(at);
    let counts = this.days.get(day);
    if (!counts) this.days.set(day, (counts = { started: 0, completed: 0, endedEarly: 0 }));
    return counts;
  }
}

type UnsentOutcome = Exclude<Extract<SimulatedSend, { readonly reason: unknown }>, { readonly kind: 'wait' }>;

function dayOf(at: Date): number {
  return Math.floor(at.getTime() / DAY);
}

function dayName(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
