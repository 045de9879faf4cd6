/**
 * Ends trips from outside, before their flow's end: its stop, a conversion, a deleted contact, a person. Whatever the
 * reason, their messages that wait are called off, and whoever counts trips hears of it.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { MessageCancellation } from '../../delivery/application/message-cancellation.js';
import { SetAsideList } from '../../set-aside/application/set-aside-list.js';
import { trailText } from '../domain/trail.js';
import type { EndedTrip, TripEndReason } from '../domain/trip.js';
import { TripRepository, type TripChoice } from '../persistence/trip.repository.js';
import { EndedTripsListener } from './ended-trips.listener.js';

/** A flow may have a million trips under way, which end in one transaction and not in one statement. */
const AT_A_TIME = 20_000;

@Injectable()
export class TripEndings {
  constructor(
    private readonly trips: TripRepository,
    private readonly messages: MessageCancellation,
    private readonly endedTrips: EndedTripsListener,
    private readonly setAside: SetAsideList,
  ) {}

  /**
   * Ends those of the trips that are under way, in the caller's transaction: when it commits, none of them goes on, and
   * no message of theirs is sent of which no attempt was being made.
   * @param by who ends them, where a person does.
   * @returns how many were ended.
   */
  async end(
    tx: Transaction,
    scope: TenantScope,
    tripIds: readonly string[],
    reason: TripEndReason,
    now: Date,
    by?: string,
  ): Promise<number> {
    return tripIds.length === 0 ? 0 : this.endAll(tx, scope, { ids: tripIds }, reason, now, by);
  }

  /** The same of all trips of a flow. */
  async endOfFlow(
    tx: Transaction,
    scope: TenantScope,
    flowId: string,
    reason: TripEndReason,
    now: Date,
  ): Promise<number> {
    return this.endAll(tx, scope, { flowId }, reason, now);
  }

  /** The same of all trips of contacts. */
  async endOfContacts(
    tx: Transaction,
    scope: TenantScope,
    contactIds: readonly string[],
    reason: TripEndReason,
    now: Date,
  ): Promise<number> {
    return contactIds.length === 0 ? 0 : this.endAll(tx, scope, { contactIds }, reason, now);
  }

  private async endAll(
    tx: Transaction,
    scope: TenantScope,
    which: TripChoice,
    reason: TripEndReason,
    now: Date,
    by?: string,
  ): Promise<number> {
    const facts = { reason, ...(by === undefined ? {} : { by }) };
    const trail = trailText([{ at: now, stepId: 0, outcome: 'ended', facts }]);
    for (let count = 0; ;) {
      const ids = await this.trips.lockUnderWay(tx, scope, which, AT_A_TIME);
      if (ids.length === 0) return count;
      const ended: EndedTrip[] = await this.trips.terminate(tx, scope, ids, { reason, trail }, now);
      await this.messages.cancel(tx, scope, 'trip', ids, now);
      await this.setAside.forget(tx, scope, 'trip', ids);
      await this.endedTrips.hear(tx, scope, ended, now);
      count += ended.length;
      if (ids.length < AT_A_TIME) return count;
    }
  }
}
