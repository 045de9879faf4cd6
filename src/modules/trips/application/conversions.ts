/**
 * Records goal conversions as events are accepted, section 2.5. Each trip and each event counts once per goal. The
 * conversion is announced, and trips are ended where the goal requires it, all in the events' transaction. A trip
 * that is over can convert, too.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { EventOfContact } from '../../events/domain/accepted-event.js';
import type { Goal } from '../../flows/domain/goal.js';
import { goalHits, MAX_CONVERTED_TRIPS_PER_EVENT, type GoalHit } from '../domain/conversions.js';
import {
  GoalConversionRepository,
  type HitTripSelection,
} from '../persistence/goal-conversion.repository.js';
import { ConversionCounters } from './goal-counters.js';
import { TripTerminator } from './trip-terminator.js';

const MAX_HITS_PER_QUERY = 1_000;
const MAX_TRIPS_PER_BATCH = 1_000;
const NEWEST_TRIPS = { maxTrips: MAX_CONVERTED_TRIPS_PER_EVENT, onlyInFlight: false };
const ALL_IN_FLIGHT: HitTripSelection = { maxTrips: 1_000, onlyInFlight: true, ends: true };

@Injectable()
export class Conversions {
  constructor(
    private readonly conversions: GoalConversionRepository,
    private readonly terminator: TripTerminator,
    private readonly counters: ConversionCounters,
  ) {}

  /** Records which existing trips the events convert, and ends the trips of goals that require it. */
  async record(
    tx: Transaction,
    scope: TenantScope,
    events: readonly EventOfContact[],
    goals: readonly Goal[],
    now: Date,
  ): Promise<void> {
    const hits = goalHits(events, goals);
    const continuing = hits.filter(({ goal }) => !goal.exitOnConversion);
    await this.recordHits(tx, scope, continuing, { ...NEWEST_TRIPS, ends: false }, now);
    const ending = hits.filter(({ goal }) => goal.exitOnConversion);
    for (let selection: HitTripSelection = { ...NEWEST_TRIPS, ends: true }; ; selection = ALL_IN_FLIGHT) {
      const converted = await this.recordHits(tx, scope, ending, selection, now);
      if ((await this.terminate(tx, scope, converted, now)) === 0) return;
    }
  }

  /** @returns the number of trips that were ended. */
  private async terminate(
    tx: Transaction,
    scope: TenantScope,
    tripIds: readonly string[],
    now: Date,
  ): Promise<number> {
    let ended = 0;
    for (let offset = 0; offset < tripIds.length; offset += MAX_TRIPS_PER_BATCH)
      ended += await this.terminator.terminate(
        tx,
        scope,
        tripIds.slice(offset, offset + MAX_TRIPS_PER_BATCH),
        'goal_conversion',
        now,
      );
    return ended;
  }

  /** @returns converted trips that are not over and are to be ended, each once. */
  private async recordHits(
    tx: Transaction,
    scope: TenantScope,
    hits: readonly GoalHit[],
    selection: HitTripSelection,
    now: Date,
  ): Promise<string[]> {
    const inFlight = new Set<string>();
    for (let offset = 0; offset < hits.length; offset += MAX_HITS_PER_QUERY) {
      const chunk = hits.slice(offset, offset + MAX_HITS_PER_QUERY);
      const recorded = await this.conversions.record(tx, scope, chunk, selection, now);
      for (const id of recorded.inFlight) inFlight.add(id);
      this.counters.count(tx, scope, recorded.conversions);
    }
    return [...inFlight];
  }
}
