/** Conversions of simulated trips, and which trips they end. Section 2.5. */
import type { EventOfContact } from '../../../events/domain/accepted-event.js';
import type { Goal } from '../../../flows/domain/goal.js';
import { goalHits, mayConvert, MOST_CONVERTED } from '../conversions.js';
import { IN_FLIGHT } from '../trip-transitions.js';
import type { SimulatedTrip } from './simulated-world.js';

export interface GoalFigures {
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

interface Counted {
  readonly converted: Set<SimulatedTrip>;
  events: number;
  exits: number;
}

export class GoalCounts {
  private readonly counted: ReadonlyMap<Goal, Counted>;

  constructor(private readonly goals: readonly Goal[]) {
    this.counted = new Map(goals.map((goal) => [goal, { converted: new Set(), events: 0, exits: 0 }]));
  }

  /**
   * Counts what the event means for the contact's trips.
   * @param trips in the order in which they started.
   * @returns the trips that it ends.
   */
  hear(event: EventOfContact, trips: readonly SimulatedTrip[]): SimulatedTrip[] {
    const ended = new Set<SimulatedTrip>();
    for (const hit of goalHits([event], this.goals)) {
      const counted = this.counted.get(hit.goal);
      const converted = trips.filter((trip) => mayConvert(hit, trip));
      if (!counted || converted.length === 0) continue;
      counted.events++;
      for (const trip of converted.slice(-MOST_CONVERTED)) counted.converted.add(trip);
      if (!hit.goal.exitOnConversion) continue;
      for (const trip of converted)
        if (IN_FLIGHT.includes(trip.status) && !ended.has(trip)) {
          counted.converted.add(trip);
          counted.exits++;
          ended.add(trip);
        }
    }
    return [...ended];
  }

  figures(): GoalFigures[] {
    return [...this.counted].map(([{ id, name, eventName }, { converted, events, exits }]) => ({
      goalId: id,
      name,
      eventName,
      conversions: converted.size,
      totalConversions: events,
      exits,
    }));
  }
}
