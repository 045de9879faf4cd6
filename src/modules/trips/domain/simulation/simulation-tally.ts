/** Counts what a simulation does while it runs: by step, day, gate and reason, never by trip. */
import { DAY } from '../../../../kernel/duration.js';
import type { Rehearsed, RehearsedFate } from '../../../delivery/domain/send-rehearsal.js';
import type { SendGate } from '../../../delivery/domain/send-gates.js';
import type { Step } from '../../../flows/domain/step.js';
import { placedSteps, type PlacedStep } from '../../../flows/domain/step-tree.js';
import { waysOf, type WayKey } from '../../../flows/domain/step-ways.js';
import type { TracedStep } from '../advance.js';
import type { StartRefusal } from '../starts.js';
import type { TripStatus } from '../trip-transitions.js';
import { Durations, type DurationFigures } from './durations.js';

/** A step, as reports name it: by its id, and by its position in the flow. */
export interface StepPlace {
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

export interface SendsOfDay extends StepPlace {
  readonly day: string;
  readonly sent: number;
  readonly suppressed: number;
  readonly failed: number;
}

/** How long trips stayed in a wait, including waits that were cut short. */
export interface WaitFigures extends StepPlace, DurationFigures {
  readonly trips: number;
  /** Of them, still waiting when the period ends. */
  readonly stillWaiting: number;
}

/** How long a gate held messages back. */
export interface DelayFigures extends StepPlace, DurationFigures {
  readonly gate: SendGate;
  readonly messages: number;
  /** Of them, still held back when the period ends. */
  readonly stillHeld: number;
}

export interface UnsentFigures extends StepPlace {
  readonly kind: 'suppressed' | 'failed';
  readonly reason: string;
  readonly messages: number;
}

/** How many trips took each branch of a condition or a split. */
export interface BranchFigures extends StepPlace {
  readonly way: WayKey;
  /** The branch's name, see `waysOf`. */
  readonly name: string;
  readonly trips: number;
}

/** What happened to the events with the trigger's name. */
export interface EventFigures {
  /** All events that were read, including those of goals and checks. */
  readonly read: number;
  /** Those with the trigger's name. */
  readonly seen: number;
  /** Those of them that match the trigger's conditions. */
  readonly matched: number;
  readonly leftOut: readonly { readonly reason: StartRefusal; readonly events: number }[];
}

const ENDED: Readonly<Record<string, 'completed' | 'endedEarly'>> = {
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

export class SimulationTally {
  private readonly places: readonly PlacedStep<Step>[];
  private readonly paths: ReadonlyMap<number, string>;
  private readonly days = new Map<number, DayCounts>();
  private readonly sends = new Map<string, SendCounts & { readonly stepId: number; readonly day: number }>();
  private readonly waits = new Map<number, Durations>();
  private readonly delays = new Map<string, { stepId: number; gate: SendGate; lengths: Durations }>();
  private readonly unsent = new Map<string, { stepId: number; fate: UnsentFate; messages: number }>();
  /** By step and branch. */
  private readonly ways = new Map<number, Map<string, number>>();
  private readonly refusals = new Map<StartRefusal, number>();
  private readonly endings = new Map<TripStatus, number>();
  private read = 0;
  private seen = 0;

  constructor(steps: readonly Step[]) {
    this.places = placedSteps<Step>(steps);
    this.paths = new Map(this.places.map(({ step, path }) => [step.id, path]));
  }

  eventRead(): void {
    this.read++;
  }

  triggerSeen(refusal: StartRefusal | null): void {
    this.seen++;
    if (refusal) this.refusals.set(refusal, (this.refusals.get(refusal) ?? 0) + 1);
  }

  tripStarted(at: Date): void {
    this.day(at).started++;
  }

  tripEnded(status: TripStatus, at: Date): void {
    const ended = ENDED[status];
    if (ended) this.day(at)[ended]++;
    this.endings.set(status, (this.endings.get(status) ?? 0) + 1);
  }

  steps(trace: readonly TracedStep[]): void {
    for (const { stepId, way } of trace) {
      if (way === '') continue;
      let ways = this.ways.get(stepId);
      if (!ways) this.ways.set(stepId, (ways = new Map<string, number>()));
      ways.set(way, (ways.get(way) ?? 0) + 1);
    }
  }

  waited(stepId: number, milliseconds: number, isOver: boolean): void {
    let lengths = this.waits.get(stepId);
    if (!lengths) this.waits.set(stepId, (lengths = new Durations()));
    lengths.add(milliseconds, isOver);
  }

  held(stepId: number, gate: SendGate, milliseconds: number, isOver: boolean): void {
    const key = `${stepId} ${gate}`;
    let known = this.delays.get(key);
    if (!known) this.delays.set(key, (known = { stepId, gate, lengths: new Durations() }));
    known.lengths.add(milliseconds, isOver);
  }

  settled(stepId: number, fate: RehearsedFate, at: Date): void {
    const day = dayOf(at);
    const key = `${stepId} ${day}`;
    let counts = this.sends.get(key);
    if (!counts) this.sends.set(key, (counts = { stepId, day, sent: 0, suppressed: 0, failed: 0 }));
    counts[fate.kind]++;
    if (fate.kind === 'sent') return;
    const reason = `${stepId} ${fate.kind} ${fate.reason}`;
    const known = this.unsent.get(reason);
    if (known) known.messages++;
    else this.unsent.set(reason, { stepId, fate, messages: 1 });
  }

  events(): EventFigures {
    const leftOut = [...this.refusals].map(([reason, events]) => ({ reason, events }));
    const unmatched = this.refusals.get('conditions_do_not_match') ?? 0;
    return { read: this.read, seen: this.seen, matched: this.seen - unmatched, leftOut };
  }

  endingsBy(status: TripStatus): number {
    return this.endings.get(status) ?? 0;
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
    return this.inOrder([...this.sends.values()], (a, b) => a.day - b.day).map(
      ({ stepId, day, sent, suppressed, failed }) => ({
        ...this.place(stepId),
        day: dayName(day),
        sent,
        suppressed,
        failed,
      }),
    );
  }

  waitFigures(): WaitFigures[] {
    const all = [...this.waits].map(([stepId, lengths]) => ({ stepId, lengths }));
    return this.inOrder(all, () => 0).map(({ stepId, lengths }) => ({
      ...this.place(stepId),
      trips: lengths.count,
      stillWaiting: lengths.open,
      ...lengths.figures(),
    }));
  }

  delayFigures(): DelayFigures[] {
    return this.inOrder([...this.delays.values()], (a, b) => compare(a.gate, b.gate)).map(
      ({ stepId, gate, lengths }) => ({
        ...this.place(stepId),
        gate,
        messages: lengths.count,
        stillHeld: lengths.open,
        ...lengths.figures(),
      }),
    );
  }

  unsentFigures(): UnsentFigures[] {
    return this.inOrder([...this.unsent.values()], (a, b) => compare(a.fate.reason, b.fate.reason)).map(
      ({ stepId, fate: { kind, reason }, messages }) => ({ ...this.place(stepId), kind, reason, messages }),
    );
  }

  /** All branches of all conditions and splits, including those that no trip took. */
  branchFigures(): BranchFigures[] {
    return this.places.flatMap(({ step, path }) =>
      (waysOf(step) ?? []).map(({ way, name }) => {
        const trips = this.ways.get(step.id)?.get(way) ?? 0;
        return { stepId: step.id, path, way, name, trips };
      }),
    );
  }

  place(stepId: number): StepPlace {
    return { stepId, path: this.paths.get(stepId) ?? '' };
  }

  /** In the order of the steps in the flow, and within a step in the order of `next`. */
  private inOrder<Item extends { readonly stepId: number }>(
    items: readonly Item[],
    next: (one: Item, other: Item) => number,
  ): Item[] {
    const places = new Map([...this.paths.keys()].map((stepId, place) => [stepId, place]));
    const placeOf = ({ stepId }: Item): number => places.get(stepId) ?? -1;
    return items.toSorted((a, b) => placeOf(a) - placeOf(b) || next(a, b));
  }

  private day(at: Date): DayCounts {
    const day = dayOf(at);
    let counts = this.days.get(day);
    if (!counts) this.days.set(day, (counts = { started: 0, completed: 0, endedEarly: 0 }));
    return counts;
  }
}

type UnsentFate = Exclude<Extract<Rehearsed, { readonly reason: unknown }>, { readonly kind: 'wait' }>;

function dayOf(at: Date): number {
  return Math.floor(at.getTime() / DAY);
}

function dayName(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
