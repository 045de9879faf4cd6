/** Conversions of simulated trips, and which trips they end. Section 2.5. */
import type { EventOfContact } from '../../../events/domain/accepted-event.js';
import type { Goal } from '../../../flows/domain/goal.js';
import { goalHits, mayConvert, MAX_CONVERTED_TRIPS_PER_EVENT } from '../conversions.js';
import { IN_FLIGHT_STATUSES } from '../trip-transitions.js';
import type { SimulatedTrip } from './simulation-model.js';

export interface SimulatedGoalCounts {
  readonly goalId: string;
  readonly name: string;
  readonly eventName: string;
  /** Trips that converted, each once. */
  readonly conversions: number;
  /** Events that converted any. */
  readonly totalConversions: number;
  /** Trips that the goal ended. */
  readonly exits: number;
}

interface GoalTotals {
  readonly converted: Set<SimulatedTrip>;
  events: number;
  exits: number;
}

export class GoalCounter {
  private readonly totals: ReadonlyMap<Goal, GoalTotals>;

  constructor(private readonly goals: readonly Goal[]) {
    this.totals = new Map(goals.map((goal) => [goal, { converted: new Set(), events: 0, exits: 0 }]));
  }

  /**
   * Counts what the event means for the contact's trips.
   * @param trips in the order in which they started.
   * @returns the trips that it ends.
   */
  countEvent(event: EventOfContact, trips: readonly SimulatedTrip[]): SimulatedTrip[] {
    const ended = new Set<SimulatedTrip>();
    for (const hit of goalHits([event], this.goals)) {
      const totals = this.totals.get(hit.goal);
      const converted = trips.filter((trip) => mayConvert(hit, trip));
      if (!totals || converted.length === 0) continue;
      totals.events++;
      for (const trip of converted.slice(-MAX_CONVERTED_TRIPS_PER_EVENT)) totals.converted.add(trip);
      if (!hit.goal.exitOnConversion) continue;
      for (const trip of converted)
        if (IN_FLIGHT_STATUSES.includes(trip.status) && !ended.has(trip)) {
          totals.converted.add(trip);
          totals.exits++;
          ended.add(trip);
        }
    }
    return [...ended];
  }

  counts(): SimulatedGoalCounts[] {
    return [...this.totals].map(([{ id, name, eventName }, { converted, events, exits }]) => ({
      goalId: id,
      name,
      eventName,
      conversions: converted.size,
      totalConversions: events,
      exits,
    }));
  }
}
