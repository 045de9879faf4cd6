/**
 * Ends trips from outside, before their flow's end: a stopped flow, a conversion, a deleted contact, a person. In
 * each case, their queued messages are canceled, and the listeners that count trips are notified.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { MessageCancellation } from '../../delivery/application/message-cancellation.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import { formatHistory } from '../domain/trip-history.js';
import type { EndedTrip, TripEndReason } from '../domain/trip.js';
import { TripRepository } from '../persistence/trip.repository.js';
import { TripCounters } from './trip-counters.js';

/** Maximum number of trips per statement. */
const MAX_TRIPS_PER_STATEMENT = 20_000;
/** Maximum number of a flow's trips that are ended in one transaction, so that other work is hardly delayed. */
const MAX_TRIPS_PER_TRANSACTION = 2_000;

@Injectable()
export class TripTerminator {
  constructor(
    private readonly trips: TripRepository,
    private readonly messages: MessageCancellation,
    private readonly counters: TripCounters,
    private readonly deadLetters: DeadLetterList,
  ) {}

  /**
   * Ends those of the trips that are under way, in the caller's transaction. After the commit, none of them
   * continues, and no message of theirs is sent unless an attempt was already being made.
   * @param by who ends them, if a person does.
   * @returns how many were ended.
   */
  async terminate(
    tx: Transaction,
    scope: TenantScope,
    tripIds: readonly string[],
    reason: TripEndReason,
    now: Date,
    by?: string,
  ): Promise<number> {
    if (tripIds.length === 0) return 0;
    const ids = await this.trips.lockInFlight(tx, scope, tripIds);
    return this.terminateLocked(tx, scope, ids, { reason, now, by });
  }

  /**
   * Ends some of a flow's trips, in a transaction that does nothing else. It waits for a locked trip only if no
   * unlocked one is left, and only while it holds none itself.
   * @returns whether there may be more.
   */
  async terminateSomeOfFlow(
    tx: Transaction,
    scope: TenantScope,
    flowId: string,
    reason: TripEndReason,
    now: Date,
  ): Promise<boolean> {
    const chosen = await this.trips.selectInFlight(tx, scope, { flowId }, MAX_TRIPS_PER_TRANSACTION);
    const free = await this.trips.lockInFlight(tx, scope, chosen, 'pass over');
    const locked = free.length > 0 ? free : await this.trips.lockInFlight(tx, scope, chosen.slice(0, 1));
    await this.terminateLocked(tx, scope, locked, { reason, now });
    return chosen.length > 0;
  }

  /** Ends all trips of contacts. */
  async terminateOfContacts(
    tx: Transaction,
    scope: TenantScope,
    contactIds: readonly string[],
    reason: TripEndReason,
    now: Date,
  ): Promise<void> {
    if (contactIds.length === 0) return;
    for (;;) {
      const chosen = await this.trips.selectInFlight(tx, scope, { contactIds }, MAX_TRIPS_PER_STATEMENT);
      if (chosen.length === 0) return;
      await this.terminateLocked(tx, scope, await this.trips.lockInFlight(tx, scope, chosen), {
        reason,
        now,
      });
    }
  }

  private async terminateLocked(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    {
      reason,
      now,
      by,
    }: { readonly reason: TripEndReason; readonly now: Date; readonly by?: string | undefined },
  ): Promise<number> {
    if (ids.length === 0) return 0;
    const facts = { reason, ...(by === undefined ? {} : { by }) };
    const historyLines = formatHistory([{ at: now, stepId: 0, outcome: 'ended', facts }]);
    const ended: EndedTrip[] = await this.trips.terminate(tx, scope, ids, { reason, historyLines }, now);
    await this.messages.cancel(tx, scope, 'trip', ids, now);
    await this.deadLetters.remove(tx, scope, 'trip', ids);
    this.counters.countEnded(tx, scope, ended);
    return ended.length;
  }
}
