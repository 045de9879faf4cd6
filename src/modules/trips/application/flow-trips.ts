/**
 * Implements what lower modules need from trips: ending the trips of a stopped flow or a deleted contact, counting a
 * flow's trips, and waking trips whose message has an outcome.
 */
import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type TenantScope, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { inEachEnvironment } from '../../../platform/database/environments.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { ContactChangesListener } from '../../contacts/application/contact-changes.listener.js';
import type { ChangedContact } from '../../contacts/domain/changed-contact.js';
import { InFlightMessages } from '../../delivery/application/in-flight-messages.js';
import { SettledMessagesListener } from '../../delivery/application/settled-messages.listener.js';
import type { MessageState } from '../../delivery/domain/email-log.js';
import { isSettled } from '../../delivery/domain/email-log-transitions.js';
import { tripOf } from '../../delivery/domain/email-origin.js';
import { TripCounts } from '../../flows/application/trip-counts.port.js';
import { TripTermination } from '../../flows/application/trip-termination.port.js';
import type { TripTotals } from '../../flows/domain/flow-filter.js';
import type { Sweep } from '../domain/trip-sweep.js';
import { formatHistory } from '../domain/trip-history.js';
import { TripRepository } from '../persistence/trip.repository.js';
import { TripTerminator } from './trip-terminator.js';
import { TripSweeps } from './trip-sweeps.js';
import { TripCounters } from './trip-counters.js';

/** Ends the trips of a stopped flow in both environments, one batch at a time, whatever their number. */
@Injectable()
export class FlowTripTermination extends TripTermination {
  constructor(
    private readonly sweeps: TripSweeps,
    private readonly messages: InFlightMessages,
  ) {
    super();
  }

  override async terminate(tx: Transaction, scope: WorkspaceScope, flowId: string, now: Date): Promise<void> {
    await inEachEnvironment(tx, scope, (tenant) => this.sweeps.request(tx, tenant, stopSweepOf(flowId), now));
  }

  override async isTerminating(tx: Transaction, scope: WorkspaceScope, flowId: string): Promise<boolean> {
    let isPending = false;
    await inEachEnvironment(tx, scope, async (tenant) => {
      isPending ||= await this.sweeps.isPending(tx, tenant, stopSweepOf(flowId));
    });
    return isPending;
  }

  override async waitUntilTerminated(scope: WorkspaceScope, flowId: string): Promise<void> {
    for (const environment of ENVIRONMENTS)
      await this.sweeps.finish({ workspaceId: scope.workspaceId, environment }, stopSweepOf(flowId));
    await this.messages.waitUntilDone(scope, flowId);
  }
}

/** Ends the trips of deleted contacts. */
@Injectable()
export class EndTripsOfDeletedContacts extends ContactChangesListener {
  constructor(private readonly terminator: TripTerminator) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    contacts: readonly ChangedContact[],
    now: Date,
  ): Promise<void> {
    const deletedIds = contacts.flatMap(({ id, what }) =>
      what === 'deleted' || what === 'erased' ? [id] : [],
    );
    await this.terminator.terminateOfContacts(tx, scope, deletedIds, 'contact_deleted', now);
  }
}

@Injectable()
export class FlowTripCounts extends TripCounts {
  constructor(
    private readonly counters: TripCounters,
    private readonly trips: TripRepository,
    private readonly sweeps: TripSweeps,
  ) {
    super();
  }

  override async ofFlows(
    tx: Transaction,
    scope: TenantScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, TripTotals>> {
    const counters = await this.counters.ofFlows(tx, scope, flowIds);
    const totals = [...counters].map(([flowId, { started, completed }]): [string, TripTotals] => [
      flowId,
      { tripsStarted: started, tripsCompleted: completed },
    ]);
    return new Map(totals);
  }

  override async countInFlight(tx: Transaction, scope: TenantScope, flowId: string): Promise<number> {
    // The trips of a stopped flow only have to be recorded as ended.
    if (await this.sweeps.isPending(tx, scope, stopSweepOf(flowId))) return 0;
    return this.trips.countInFlight(tx, scope, flowId);
  }
}

function stopSweepOf(flowId: string): Sweep {
  return { kind: 'flow_stopped', subjectId: flowId };
}

/**
 * Wakes trips whose message has an outcome. Ignores a message that leaves a settled status because it was requeued: its
 * first outcome has already woken the trip.
 */
@Injectable()
export class WakeTrips extends SettledMessagesListener {
  constructor(
    private readonly trips: TripRepository,
    private readonly dispatcher: Dispatcher,
  ) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly MessageState[],
    now: Date,
  ): Promise<void> {
    const ofTrips = messages.flatMap((message) => {
      const trip = isSettled(message.status) ? tripOf(message) : undefined;
      if (!trip) return [];
      const entry = { at: now, stepId: trip.step, outcome: `message_${message.status}` as const };
      return [{ ...trip, historyLines: formatHistory([entry]) }];
    });
    if (ofTrips.length === 0) return;
    // The order in which all code locks several trips.
    ofTrips.sort((one, other) => (one.tripId < other.tripId ? -1 : 1));
    await this.trips.wake(tx, scope, ofTrips, now);
    tx.afterCommit(() => this.dispatcher.wake(WAKE_UPS.trips, scope));
  }
}
