/**
 * How trips are counted: what starts and ends of trips add to each flow's figures, and of which hours and which rest a
 * period is made up. Sections 2.3 (trips_started, trips_completed) and 2.6 (entered).
 */
import type { DateRange } from '../../../kernel/date-range.js';
import { HOUR } from '../../../kernel/duration.js';
import { summed } from './summed.js';
import type { EndedTrip, Trip } from './trip.js';

/** What trips have come to; the rest of `started` is under way. */
export interface TripTally {
  readonly started: number;
  readonly completed: number;
  readonly terminated: number;
  readonly failed: number;
}

/** What is to be added to a flow's figures of one hour. */
export interface TallyChange extends TripTally {
  readonly flowId: string;
  /** The beginning of the hour. */
  readonly hour: Date;
}

/** What the start of a trip adds. */
export function tallyOfStart({ flowId, startedAt }: Trip): TallyChange {
  return { flowId, hour: hourOf(startedAt), started: 1, completed: 0, terminated: 0, failed: 0 };
}

/** What the end of a trip adds. */
export function tallyOfEnd({ flowId, status, completedAt, startedAt }: RevivedTrip): TallyChange {
  const completed = status === 'completed' ? 1 : 0;
  const failed = status === 'failed' ? 1 : 0;
  const hour = hourOf(completedAt ?? startedAt);
  return { flowId, hour, started: 0, completed, terminated: 1 - completed - failed, failed };
}

/** What of a trip that is taken up again says how it had ended. */
export type RevivedTrip = Pick<EndedTrip, 'flowId' | 'status' | 'completedAt' | 'startedAt'>;

/** What is taken back when a trip that was over is under way again; nothing of one that was not over. */
export function tallyOfRevival(trip: RevivedTrip): TallyChange[] {
  if (trip.completedAt === null) return [];
  const { flowId, hour, ...ended } = tallyOfEnd(trip);
  const { started, completed, terminated, failed } = ended;
  return [{ flowId, hour, started, completed: -completed, terminated: -terminated, failed: -failed }];
}

/**
 * The changes summed up, one a flow and hour, in the order in which all transactions store them, so that none waits for
 * another that waits for it.
 */
export function summedTallies(changes: readonly TallyChange[]): TallyChange[] {
  return summed(changes, [({ flowId }) => flowId, ({ hour }) => hour.getTime()], added);
}

/** The changes of each flow summed up, whatever their hours; ordered as `summedTallies`. */
export function talliesOfFlows(changes: readonly TallyChange[]): TallyChange[] {
  return summed(changes, [({ flowId }) => flowId], added);
}

function added(sum: TallyChange, change: TallyChange): TallyChange {
  return {
    flowId: sum.flowId,
    hour: sum.hour,
    started: sum.started + change.started,
    completed: sum.completed + change.completed,
    terminated: sum.terminated + change.terminated,
    failed: sum.failed + change.failed,
  };
}

/** From its first moment up to, but not including, its last. */
export interface Span {
  readonly from: Date;
  readonly until: Date;
}

/**
 * The whole hours of a period, and what is left before and behind them: at most two parts, each shorter than an hour
 * unless the period holds no whole hour.
 */
export function hoursOf(period: DateRange): { readonly hours: Span; readonly rest: readonly Span[] } {
  const from = period.from.getTime();
  const until = period.to.getTime() + 1;
  const firstHour = Math.ceil(from / HOUR) * HOUR;
  const lastHour = Math.floor(until / HOUR) * HOUR;
  if (firstHour >= lastHour) return { hours: spanOf(from, from), rest: [spanOf(from, until)] };
  const rest = [spanOf(from, firstHour), spanOf(lastHour, until)];
  return { hours: spanOf(firstHour, lastHour), rest: rest.filter((span) => span.from < span.until) };
}

function spanOf(from: number, until: number): Span {
  return { from: new Date(from), until: new Date(until) };
}

/** The beginning of an hour of UTC. */
export function hourOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / HOUR) * HOUR);
}
