/**
 * Counts trips: what starts and ends of trips add to each flow's counters, and which whole and partial hours make up
 * a period. Sections 2.3 (trips_started, trips_completed) and 2.6 (entered).
 */
import type { DateRange } from '../../../kernel/date-range.js';
import { HOUR } from '../../../kernel/duration.js';
import { sumByKey } from './sum-by-key.js';
import type { EndedTrip, Trip } from './trip.js';

/** Counts of trips by result. The remainder of `started` is under way. */
export interface TripOutcomeCounts {
  readonly started: number;
  readonly completed: number;
  readonly terminated: number;
  readonly failed: number;
}

/** What to add to a flow's counters of one hour. */
export interface TripCountDelta extends TripOutcomeCounts {
  readonly flowId: string;
  /** The start of the hour. */
  readonly hour: Date;
}

/** What the start of a trip adds. */
export function startDelta({ flowId, startedAt }: Trip): TripCountDelta {
  return { flowId, hour: hourOf(startedAt), started: 1, completed: 0, terminated: 0, failed: 0 };
}

/** What the end of a trip adds. */
export function endDelta({ flowId, status, completedAt, startedAt }: RevivedTrip): TripCountDelta {
  const completed = status === 'completed' ? 1 : 0;
  const failed = status === 'failed' ? 1 : 0;
  const hour = hourOf(completedAt ?? startedAt);
  return { flowId, hour, started: 0, completed, terminated: 1 - completed - failed, failed };
}

/** The fields of a revived trip that say how it had ended. */
export type RevivedTrip = Pick<EndedTrip, 'flowId' | 'status' | 'completedAt' | 'startedAt'>;

/** What to subtract when a trip that was over is under way again; nothing for a trip that was not over. */
export function revivalDeltas(trip: RevivedTrip): TripCountDelta[] {
  if (trip.completedAt === null) return [];
  const { flowId, hour, ...ended } = endDelta(trip);
  const { started, completed, terminated, failed } = ended;
  return [{ flowId, hour, started, completed: -completed, terminated: -terminated, failed: -failed }];
}

/**
 * The changes summed up per flow and hour, in the order in which all transactions store them, so that none can
 * deadlock with another.
 */
export function sumTripDeltas(deltas: readonly TripCountDelta[]): TripCountDelta[] {
  return sumByKey(deltas, [({ flowId }) => flowId, ({ hour }) => hour.getTime()], addDelta);
}

/** The changes of each flow summed up over hours; sorted as in `sumTripDeltas`. */
export function deltasByFlow(deltas: readonly TripCountDelta[]): TripCountDelta[] {
  return sumByKey(deltas, [({ flowId }) => flowId], addDelta);
}

function addDelta(sum: TripCountDelta, delta: TripCountDelta): TripCountDelta {
  return {
    flowId: sum.flowId,
    hour: sum.hour,
    started: sum.started + delta.started,
    completed: sum.completed + delta.completed,
    terminated: sum.terminated + delta.terminated,
    failed: sum.failed + delta.failed,
  };
}

/** From its first moment up to, but not including, its last. */
export interface Span {
  readonly from: Date;
  readonly until: Date;
}

/**
 * The whole hours of a period, and the partial hours before and after them: at most two parts, each shorter than an
 * hour unless the period contains no whole hour.
 */
export function wholeHoursOf(period: DateRange): { readonly hours: Span; readonly rest: readonly Span[] } {
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

/** The start of an hour in UTC. */
export function hourOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / HOUR) * HOUR);
}
