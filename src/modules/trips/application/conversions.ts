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
import { goalHits, MOST_CONVERTED, type GoalHit } from '../domain/conversions.js';
import { GoalConversionRepository, type TripsOfHit } from '../persistence/goal-conversion.repository.js';
import { RecordedConversionsListener } from './recorded-conversions.listener.js';
import { TripEndings } from './trip-endings.js';

const HITS_AT_A_TIME = 1_000;
const TRIPS_AT_A_TIME = 1_000;
const NEWEST = { mostTrips: MOST_CONVERTED, onlyUnderWay: false };
const ALL_UNDER_WAY: TripsOfHit = { mostTrips: 1_000, onlyUnderWay: true, ends: true };

@Injectable()
export class Conversions {
  constructor(
    private readonly conversions: GoalConversionRepository,
    private readonly endings: TripEndings,
    private readonly recordedConversions: RecordedConversionsListener,
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
    const going = hits.filter(({ goal }) => !goal.exitOnConversion);
    await this.recordHits(tx, scope, going, { ...NEWEST, ends: false }, now);
    const ending = hits.filter(({ goal }) => goal.exitOnConversion);
    for (let which: TripsOfHit = { ...NEWEST, ends: true }; ; which = ALL_UNDER_WAY) {
      const converted = await this.recordHits(tx, scope, ending, which, now);
      if ((await this.end(tx, scope, converted, now)) === 0) return;
    }
  }

  /** @returns the number of trips that were ended. */
  private async end(
    tx: Transaction,
    scope: TenantScope,
    tripIds: readonly string[],
    now: Date,
  ): Promise<number> {
    let ended = 0;
    for (let done = 0; done < tripIds.length; done += TRIPS_AT_A_TIME)
      ended += await this.endings.end(
        tx,
        scope,
        tripIds.slice(done, done + TRIPS_AT_A_TIME),
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
    which: TripsOfHit,
    now: Date,
  ): Promise<string[]> {
    const underWay = new Set<string>();
    for (let done = 0; done < hits.length; done += HITS_AT_A_TIME) {
      const some = hits.slice(done, done + HITS_AT_A_TIME);
      const recorded = await this.conversions.record(tx, scope, some, which, now);
      for (const id of recorded.underWay) underWay.add(id);
      await this.recordedConversions.hear(tx, scope, recorded.conversions, now);
    }
    return [...underWay];
  }
}
