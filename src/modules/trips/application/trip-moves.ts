/**
 * Manual actions on trips: cutting a wait short, ending a trip, retrying a failed one. Each batch is a separate
 * transaction that locks its trips, so the engine and the person never both move one. All actions are recorded.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { FlowService } from '../../flows/application/flow.service.js';
import { FlowCatalogue } from '../../flows/application/flow-catalogue.js';
import type { FlowSettings, FlowStatus } from '../../flows/domain/flow.js';
import { FlowStatusRepository } from '../../flows/persistence/flow-status.repository.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import { allowsOneTripInFlight } from '../domain/reentry.js';
import { formatHistory } from '../domain/trip-history.js';
import {
  conflictingTrips,
  endRefusal,
  hasMovedOn,
  retryActionOf,
  skipRefusal,
  type MovableTrip,
  type MoveKind,
  type MoveRefusal,
  type RefusedTrip,
} from '../domain/trip-move.js';
import { TripMoveRepository, type TripSelection } from '../persistence/trip-move.repository.js';
import { TripCounters } from './trip-counters.js';
import { TripTerminator } from './trip-terminator.js';
import { TripRepetitions, type MovedTrips } from './trip-repetitions.js';

/** Maximum number of trips per transaction, and per call. */
const BATCH_SIZE = 500;
const MAX_TRIPS_PER_CALL = 10_000;
const MAX_REFUSED_TRIPS = 1_000;

const NO_FLOWS: LockedTrips['flows'] = new Map();
const NO_TRIP_IDS: ReadonlySet<string> = new Set();

/** What people request. What is done as a result is a MoveKind. */
export type RequestedMove = Exclude<MoveKind, 'send_again'>;

export interface MoveResult {
  readonly moved: number;
  readonly refused: readonly RefusedTrip[];
  /** Trips that the call has not reached, counted up to a limit. */
  readonly left: number;
}

/** Locked trips, with their flows. */
interface LockedTrips {
  readonly trips: readonly MovableTrip[];
  readonly flows: ReadonlyMap<string, { readonly status: FlowStatus; readonly settings?: FlowSettings }>;
}

@Injectable()
export class TripMoves {
  constructor(
    private readonly database: Database,
    private readonly repository: TripMoveRepository,
    private readonly terminator: TripTerminator,
    private readonly repetitions: TripRepetitions,
    private readonly flows: FlowService,
    private readonly statuses: FlowStatusRepository,
    private readonly catalogue: FlowCatalogue,
    private readonly counters: TripCounters,
    private readonly deadLetters: DeadLetterList,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
  ) {}

  /** Applies the action to these trips. @param by who requests it. */
  async ofIds(
    scope: TenantScope,
    kind: RequestedMove,
    ids: readonly string[],
    by: string,
  ): Promise<MoveResult> {
    const { moved, refused } = await this.database.inScope(scope, async (tx) => {
      const chosen = await this.repository.find(tx, scope, [...new Set(ids)], false);
      return this.batch(tx, scope, kind, chosen, by);
    });
    const known = new Set([...moved, ...refused.map(({ tripId }) => tripId)]);
    const unknown = ids.filter((id) => !known.has(id));
    return {
      moved: moved.length,
      refused: [...refused, ...unknown.map((tripId): RefusedTrip => ({ tripId, code: 'trip_not_found' }))],
      left: 0,
    };
  }

  /**
   * Applies the action to eligible trips of a flow, at most 10,000 per call. Retrying a step without a filter by
   * status also requests its failed messages again.
   * @throws DomainError flow_not_found.
   */
  async ofFlow(
    scope: TenantScope,
    kind: RequestedMove,
    selection: TripSelection,
    by: string,
  ): Promise<MoveResult> {
    await this.flows.get(scope, selection.flowId);
    const trips = await this.tripsOfFlow(scope, kind, selection, by);
    const { flowId, stepId, status } = selection;
    if (kind !== 'retry_step' || stepId === null || status !== null) return trips;
    const messages = await this.messagesOfStep(
      scope,
      { flowId, stepId },
      MAX_TRIPS_PER_CALL - trips.moved,
      by,
    );
    return {
      moved: trips.moved + messages.moved,
      refused: [...trips.refused, ...messages.refused],
      left: trips.left + messages.left,
    };
  }

  private async tripsOfFlow(
    scope: TenantScope,
    kind: RequestedMove,
    selection: TripSelection,
    by: string,
  ): Promise<MoveResult> {
    const refused: RefusedTrip[] = [];
    let moved = 0;
    const select = (limit: number): Promise<MovableTrip[]> =>
      this.database.listInScope(scope, async (tx) => {
        const settings = (await this.catalogue.settingsOf(tx, scope, [selection.flowId])).get(
          selection.flowId,
        );
        return this.repository.selectEligible(tx, scope, kind, selection, {
          without: refused.map(({ tripId }) => tripId),
          limit,
          now: this.clock.now(),
          skipsContactsInFlight: !settings || allowsOneTripInFlight(settings),
        });
      });
    while (moved < MAX_TRIPS_PER_CALL && refused.length < MAX_REFUSED_TRIPS) {
      const limit = Math.min(BATCH_SIZE, MAX_TRIPS_PER_CALL - moved);
      const chosen = await select(limit);
      const done = await this.database.inScope(scope, (tx) => this.batch(tx, scope, kind, chosen, by));
      moved += done.moved.length;
      refused.push(...done.refused);
      if (chosen.length < limit) return { moved, refused, left: 0 };
    }
    return { moved, refused, left: (await select(MAX_TRIPS_PER_CALL)).length };
  }

  private async messagesOfStep(
    scope: TenantScope,
    { flowId, stepId }: { readonly flowId: string; readonly stepId: number },
    maxMessages: number,
    by: string,
  ): Promise<MoveResult> {
    const refused: RefusedTrip[] = [];
    let moved = 0;
    let after: string | null = null;
    while (moved < maxMessages && refused.length < MAX_REFUSED_TRIPS) {
      const limit = Math.min(BATCH_SIZE, maxMessages - moved);
      const cursor: string | null = after;
      const done: MovedTrips & { readonly last: string | null } = await this.database.inScope(scope, (tx) =>
        this.repetitions.ofStep(tx, scope, { flowId, stepId, after: cursor, limit }, by, this.clock.now()),
      );
      moved += done.moved.length;
      refused.push(...done.refused);
      after = done.last;
      if (after === null) return { moved, refused, left: 0 };
    }
    const left = await this.database.inScope(scope, (tx) =>
      this.repetitions.countRemaining(tx, scope, { flowId, stepId, after, limit: MAX_TRIPS_PER_CALL }),
    );
    return { moved, refused, left };
  }

  /** Applies the action to the chosen trips, in the transaction. */
  private async batch(
    tx: Transaction,
    scope: TenantScope,
    kind: RequestedMove,
    chosen: readonly MovableTrip[],
    by: string,
  ): Promise<MovedTrips> {
    if (chosen.length === 0) return { moved: [], refused: [] };
    const now = this.clock.now();
    // Locked before the trips, as when a flow is stopped.
    const flowIds = [...new Set(chosen.map(({ flowId }) => flowId))];
    const flows = kind === 'end' ? NO_FLOWS : await this.lockFlows(tx, scope, kind, flowIds);
    const locked = await this.repository.find(
      tx,
      scope,
      chosen.map(({ id }) => id),
      true,
    );
    const before = new Map(chosen.map((trip) => [trip.id, trip]));
    const refused: RefusedTrip[] = [];
    const unchanged = locked.filter((trip) => {
      const previous = before.get(trip.id);
      if (previous && !hasMovedOn(previous, trip)) return true;
      refused.push({ tripId: trip.id, code: 'moved_on' });
      return false;
    });
    const done =
      kind === 'retry_step'
        ? await this.retry(tx, scope, { trips: unchanged, flows }, by, now)
        : await this.skipOrEnd(tx, scope, kind, { trips: unchanged, flows }, by, now);
    return { moved: done.moved, refused: [...refused, ...done.refused] };
  }

  private async skipOrEnd(
    tx: Transaction,
    scope: TenantScope,
    kind: 'skip_wait' | 'end',
    { trips, flows }: LockedTrips,
    by: string,
    now: Date,
  ): Promise<MovedTrips> {
    const { allowed, refused } = partition(trips, (trip) =>
      kind === 'end' ? endRefusal(trip) : skipRefusal(trip, flows.get(trip.flowId)?.status, now),
    );
    const ids = allowed.map(({ id }) => id);
    if (kind === 'end') await this.terminator.terminate(tx, scope, ids, 'ended_by_hand', now, by);
    else await this.makeDue(tx, scope, ids, formatHistory([entry('wait_skipped', by, now)]), now);
    await this.record(tx, scope, kind, allowed, by, now);
    return { moved: ids, refused };
  }

  private async retry(
    tx: Transaction,
    scope: TenantScope,
    { trips, flows }: LockedTrips,
    by: string,
    now: Date,
  ): Promise<MovedTrips> {
    const actionFor = (trip: MovableTrip): ReturnType<typeof retryActionOf> =>
      retryActionOf(trip, flows.get(trip.flowId)?.status);
    const conflicting = await this.conflictsAmong(
      tx,
      scope,
      trips.filter((trip) => {
        const settings = flows.get(trip.flowId)?.settings;
        return actionFor(trip).kind === 'revive' && settings !== undefined && allowsOneTripInFlight(settings);
      }),
    );
    const { allowed, refused } = partition(trips, (trip) => {
      const retry = actionFor(trip);
      if (retry.kind === 'refuse') return retry.code;
      return conflicting.has(trip.id) ? 'another_under_way' : undefined;
    });
    const withMessage = allowed.filter((trip) => actionFor(trip).kind === 'message');
    const due = allowed.filter((trip) => actionFor(trip).kind !== 'message');
    const ids = due.map(({ id }) => id);
    await this.makeDue(tx, scope, ids, formatHistory([entry('retried', by, now)]), now);
    await this.deadLetters.remove(tx, scope, 'trip', ids);
    const revived = due.filter((trip) => actionFor(trip).kind === 'revive');
    this.counters.countRevived(tx, scope, revived);
    await this.record(tx, scope, 'retry_step', due, by, now);
    const repeated = await this.repetitions.ofTrips(tx, scope, withMessage, by, now);
    return { moved: [...ids, ...repeated.moved], refused: [...refused, ...repeated.refused] };
  }

  /** The flows of the trips, locked as the action requires: while trips are revived, no new ones may start. */
  private async lockFlows(
    tx: Transaction,
    scope: TenantScope,
    kind: 'skip_wait' | 'retry_step',
    flowIds: readonly string[],
  ): Promise<LockedTrips['flows']> {
    if (kind === 'retry_step') return this.statuses.lockExclusively(tx, scope, flowIds);
    const statuses = await this.statuses.lockStatuses(tx, scope, flowIds);
    return new Map([...statuses].map(([id, status]) => [id, { status }]));
  }

  private async conflictsAmong(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly MovableTrip[],
  ): Promise<ReadonlySet<string>> {
    if (trips.length === 0) return NO_TRIP_IDS;
    return conflictingTrips(trips, await this.repository.withOtherInFlight(tx, scope, trips));
  }

  private async makeDue(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    historyLines: string,
    now: Date,
  ): Promise<void> {
    if (ids.length === 0) return;
    await this.repository.makeDue(tx, scope, ids, historyLines, now);
    tx.afterCommit(() => this.dispatcher.wake(WAKE_UPS.trips, scope));
  }

  private async record(
    tx: Transaction,
    scope: TenantScope,
    kind: MoveKind,
    trips: readonly MovableTrip[],
    movedBy: string,
    movedAt: Date,
  ): Promise<void> {
    await this.repository.record(
      tx,
      scope,
      trips.map(({ id: tripId, flowId, lastStep: stepId }) => ({
        id: uuidv7(movedAt.getTime()),
        tripId,
        flowId,
        stepId,
        kind,
        movedBy,
        movedAt,
      })),
    );
  }
}

function entry(
  outcome: 'wait_skipped' | 'retried',
  by: string,
  at: Date,
): Parameters<typeof formatHistory>[0][number] {
  return { at, stepId: 0, outcome, facts: { by } };
}

function partition(
  trips: readonly MovableTrip[],
  refusalOf: (trip: MovableTrip) => MoveRefusal | undefined,
): { readonly allowed: readonly MovableTrip[]; readonly refused: readonly RefusedTrip[] } {
  const refused: RefusedTrip[] = [];
  const allowed = trips.filter((trip) => {
    const code = refusalOf(trip);
    if (code) refused.push({ tripId: trip.id, code });
    return code === undefined;
  });
  return { allowed, refused };
}
