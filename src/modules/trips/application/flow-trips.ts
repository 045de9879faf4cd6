/** What modules below ask of trips through their ports: to end a stopped flow's, to wake those whose message is settled. */
import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type TenantScope, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { enterScope } from '../../../platform/database/row-level-security.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { SendOutcomes } from '../../delivery/application/send-outcomes.port.js';
import type { MessageState } from '../../delivery/domain/email-log.js';
import { tripOf } from '../../delivery/domain/email-origin.js';
import { EmailLogRepository } from '../../delivery/persistence/email-log.repository.js';
import { TripTermination } from '../../flows/application/trip-termination.port.js';
import { TripRepository } from '../persistence/trip.repository.js';
import { TRIPS_BELL } from '../queue/trips.jobs.js';

/** Ends the trips of a flow that is stopped, in both environments, and cancels their messages that still wait. */
@Injectable()
export class FlowTripTermination extends TripTermination {
  constructor(
    private readonly trips: TripRepository,
    private readonly emailLogs: EmailLogRepository,
  ) {
    super();
  }

  override async terminate(
    tx: Transaction,
    scope: WorkspaceScope,
    flowId: string,
    now: Date,
  ): Promise<number> {
    let ended = 0;
    for (const environment of ENVIRONMENTS) {
      const tenant = { workspaceId: scope.workspaceId, environment };
      await tx.query(enterScope(tenant));
      const trips = await this.trips.stopAll(tx, tenant, flowId, now);
      await this.emailLogs.cancelQueued(tx, tenant, 'trip', trips, now);
      ended += trips.length;
    }
    return ended;
  }
}

/** Wakes the trips whose message has met its fate. */
@Injectable()
export class TripSendOutcomes extends SendOutcomes {
  constructor(
    private readonly trips: TripRepository,
    private readonly dispatcher: Dispatcher,
  ) {
    super();
  }

  override async settled(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly MessageState[],
    now: Date,
  ): Promise<void> {
    const ofTrips = messages.flatMap((message) => tripOf(message) ?? []);
    if (ofTrips.length > 0) await this.trips.wake(tx, scope, ofTrips, now);
  }

  override announced(scope: TenantScope): void {
    this.dispatcher.ring(TRIPS_BELL, scope);
  }
}
