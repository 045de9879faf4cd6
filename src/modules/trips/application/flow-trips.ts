/** What modules below ask of trips: to end a stopped flow's, to count a flow's, to go on with those whose message has met its fate. */
import { Injectable } from '@nestjs/common';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { inEachEnvironment } from '../../../platform/database/environments.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { MessageCancellation } from '../../delivery/application/message-cancellation.js';
import { SettledMessagesListener } from '../../delivery/application/settled-messages.listener.js';
import type { MessageState } from '../../delivery/domain/email-log.js';
import { isSettled } from '../../delivery/domain/email-log-transitions.js';
import { tripOf } from '../../delivery/domain/email-origin.js';
import { TripCounts } from '../../flows/application/trip-counts.port.js';
import { TripTermination } from '../../flows/application/trip-termination.port.js';
import type { TripFigures } from '../../flows/domain/flow-filter.js';
import { SetAsideList } from '../../set-aside/application/set-aside-list.js';
import { TripRepository } from '../persistence/trip.repository.js';
import { TRIPS_BELL } from '../queue/trips.jobs.js';
import { EndedTripsListener } from './ended-trips.listener.js';
import { TripTallies } from './trip-tallies.js';

/** Ends the trips of a flow that is stopped, in both environments, and cancels their messages that still wait. */
@Injectable()
export class FlowTripTermination extends TripTermination {
  constructor(
    private readonly trips: TripRepository,
    private readonly messages: MessageCancellation,
    private readonly endedTrips: EndedTripsListener,
    private readonly setAside: SetAsideList,
  ) {
    super();
  }

  override async terminate(
    tx: Transaction,
    scope: WorkspaceScope,
    flowId: string,
    now: Date,
  ): Promise<number> {
    let count = 0;
    await inEachEnvironment(tx, scope, async (tenant) => {
      const ended = await this.trips.stopAll(tx, tenant, flowId, now);
      const ids = ended.map(({ id }) => id);
      await this.messages.cancel(tx, tenant, 'trip', ids, now);
      await this.setAside.forget(tx, tenant, 'trip', ids);
      await this.endedTrips.hear(tx, tenant, ended, now);
      count += ended.length;
    });
    return count;
  }
}

@Injectable()
export class FlowTripCounts extends TripCounts {
  constructor(private readonly tallies: TripTallies) {
    super();
  }

  override async ofFlows(
    tx: Transaction,
    scope: TenantScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, TripFigures>> {
    const tallies = await this.tallies.ofFlows(tx, scope, flowIds);
    const figures = [...tallies].map(([flowId, { started, completed }]): [string, TripFigures] => [
      flowId,
      { tripsStarted: started, tripsCompleted: completed },
    ]);
    return new Map(figures);
  }
}

/** Wakes the trips whose message has met its fate; those whose message is to be tried again have gone on already. */
@Injectable()
export class WakeTrips extends SettledMessagesListener {
  constructor(
    private readonly trips: TripRepository,
    private readonly dispatcher: Dispatcher,
  ) {
    super();
  }

  override async hear(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly MessageState[],
    now: Date,
  ): Promise<void> {
    const ofTrips = messages.flatMap((message) => (isSettled(message.status) ? (tripOf(message) ?? []) : []));
    if (ofTrips.length === 0) return;
    await this.trips.wake(tx, scope, ofTrips, now);
    tx.afterCommit(() => this.dispatcher.ring(TRIPS_BELL, scope));
  }
}
