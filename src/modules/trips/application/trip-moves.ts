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
import { FlowService } from '../../flows/application/flow.service.js';
import { FlowCatalogue } from '../../flows/application/flow-catalogue.js';
import type { FlowSettings, FlowStatus } from '../../flows/domain/flow.js';
import { FlowStatuses } from '../../flows/application/flow-statuses.js';
import { SetAsideList } from '../../set-aside/application/set-aside-list.js';
import { keepsApart } from '../domain/reentry.js';
import { trailText } from '../domain/trail.js';
import {
  crowded,
  endRefusal,
  hasMovedOn,
  retryOf,
  skipRefusal,
  type MovableTrip,
  type MoveKind,
  type MoveRefusal,
  type RefusedTrip,
} from '../domain/trip-move.js';
import { TripMoveRepository, type Selection } from '../persistence/trip-move.repository.js';
import { TRIPS_BELL } from '../queue/trips.jobs.js';
import { RevivedTripsListener } from './revived-trips.listener.js';
import { TripEndings } from './trip-endings.js';
import { TripRepetitions, type MovedTrips } from './trip-repetitions.js';

/** Maximum number of trips per transaction, and per call. */
const BATCH = 500;
const MOST = 10_000;
const MOST_REFUSED = 1_000;

const NO_FLOWS: LockedTrips['flows'] = new Map();
const NONE: ReadonlySet<string> = new Set();

/** What people request. What is done as a result is a MoveKind. */
export type WantedMove = Exclude<MoveKind, 'send_again'>;

export interface Moved {
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
    private readonly endings: TripEndings,
    private readonly repetitions: TripRepetitions,
    private readonly flows: FlowService,
    private readonly statuses: FlowStatuses,
    private readonly catalogue: FlowCatalogue,
    private readonly revivedTrips: RevivedTripsListener,
    private readonly setAside: SetAsideList,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
  ) {}

  /** Applies the action to these trips. @param by who requests it. */
  async ofIds(scope: TenantScope, kind: WantedMove, ids: readonly string[], by: string): Promise<Moved> {
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
  async ofFlow(scope: TenantScope, kind: WantedMove, which: Selection, by: string): Promise<Moved> {
    await this.flows.get(scope, which.flowId);
    const trips = await this.tripsOfFlow(scope, kind, which, by);
    const { flowId, stepId, status } = which;
    if (kind !== 'retry_step' || stepId === null || status !== null) return trips;
    const messages = await this.messagesOfStep(scope, { flowId, stepId }, MOST - trips.moved, by);
    return {
      moved: trips.moved + messages.moved,
      refused: [...trips.refused, ...messages.refused],
      left: trips.left + messages.left,
    };
  }

  private async tripsOfFlow(
    scope: TenantScope,
    kind: WantedMove,
    which: Selection,
    by: string,
  ): Promise<Moved> {
    const refused: RefusedTrip[] = [];
    let moved = 0;
    const choose = (limit: number): Promise<MovableTrip[]> =>
      this.database.listInScope(scope, async (tx) => {
        const settings = (await this.catalogue.settingsOf(tx, scope, [which.flowId])).get(which.flowId);
        return this.repository.choose(tx, scope, kind, which, {
          without: refused.map(({ tripId }) => tripId),
          limit,
          now: this.clock.now(),
          isAlone: !settings || keepsApart(settings),
        });
      });
    while (moved < MOST && refused.length < MOST_REFUSED) {
      const limit = Math.min(BATCH, MOST - moved);
      const chosen = await choose(limit);
      const done = await this.database.inScope(scope, (tx) => this.batch(tx, scope, kind, chosen, by));
      moved += done.moved.length;
      refused.push(...done.refused);
      if (chosen.length < limit) return { moved, refused, left: 0 };
    }
    return { moved, refused, left: (await choose(MOST)).length };
  }

  private async messagesOfStep(
    scope: TenantScope,
    { flowId, stepId }: { readonly flowId: string; readonly stepId: number },
    most: number,
    by: string,
  ): Promise<Moved> {
    const refused: RefusedTrip[] = [];
    let moved = 0;
    let after: string | null = null;
    while (moved < most && refused.length < MOST_REFUSED) {
      const limit = Math.min(BATCH, most - moved);
      const place: string | null = after;
      const done: MovedTrips & { readonly last: string | null } = await this.database.inScope(scope, (tx) =>
        this.repetitions.ofStep(tx, scope, { flowId, stepId, after: place, limit }, by, this.clock.now()),
      );
      moved += done.moved.length;
      refused.push(...done.refused);
      after = done.last;
      if (after === null) return { moved, refused, left: 0 };
    }
    const left = await this.database.inScope(scope, (tx) =>
      this.repetitions.leftOfStep(tx, scope, { flowId, stepId, after, limit: MOST }),
    );
    return { moved, refused, left };
  }

  /** Applies the action to the chosen trips, in the transaction. */
  private async batch(
    tx: Transaction,
    scope: TenantScope,
    kind: WantedMove,
    chosen: readonly MovableTrip[],
    by: string,
  ): Promise<MovedTrips> {
    if (chosen.length === 0) return { moved: [], refused: [] };
    const now = this.clock.now();
    // Locked before the trips, as when a flow is stopped.
    const flowIds = [...new Set(chosen.map(({ flowId }) => flowId))];
    const flows = kind === 'end' ? NO_FLOWS : await this.flowsFor(tx, scope, kind, flowIds);
    const locked = await this.repository.find(
      tx,
      scope,
      chosen.map(({ id }) => id),
      true,
    );
    const before = new Map(chosen.map((trip) => [trip.id, trip]));
    const refused: RefusedTrip[] = [];
    const standing = locked.filter((trip) => {
      const was = before.get(trip.id);
      if (was && !hasMovedOn(was, trip)) return true;
      refused.push({ tripId: trip.id, code: 'moved_on' });
      return false;
    });
    const done =
      kind === 'retry_step'
        ? await this.retry(tx, scope, { trips: standing, flows }, by, now)
        : await this.skipOrEnd(tx, scope, kind, { trips: standing, flows }, by, now);
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
    const { allowed, refused } = parted(trips, (trip) =>
      kind === 'end' ? endRefusal(trip) : skipRefusal(trip, flows.get(trip.flowId)?.status, now),
    );
    const ids = allowed.map(({ id }) => id);
    if (kind === 'end') await this.endings.end(tx, scope, ids, 'ended_by_hand', now, by);
    else await this.makeDue(tx, scope, ids, trailText([entry('wait_skipped', by, now)]), now);
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
    const retryOfTrip = (trip: MovableTrip): ReturnType<typeof retryOf> =>
      retryOf(trip, flows.get(trip.flowId)?.status);
    const inTheWay = await this.crowdedAmong(
      tx,
      scope,
      trips.filter((trip) => {
        const settings = flows.get(trip.flowId)?.settings;
        return retryOfTrip(trip).kind === 'revive' && settings !== undefined && keepsApart(settings);
      }),
    );
    const { allowed, refused } = parted(trips, (trip) => {
      const retry = retryOfTrip(trip);
      if (retry.kind === 'refuse') return retry.code;
      return inTheWay.has(trip.id) ? 'another_under_way' : undefined;
    });
    const withMessage = allowed.filter((trip) => retryOfTrip(trip).kind === 'message');
    const due = allowed.filter((trip) => retryOfTrip(trip).kind !== 'message');
    const ids = due.map(({ id }) => id);
    await this.makeDue(tx, scope, ids, trailText([entry('retried', by, now)]), now);
    await this.setAside.forget(tx, scope, 'trip', ids);
    const revived = due.filter((trip) => retryOfTrip(trip).kind === 'revive');
    await this.revivedTrips.hear(tx, scope, revived, now);
    await this.record(tx, scope, 'retry_step', due, by, now);
    const repeated = await this.repetitions.ofTrips(tx, scope, withMessage, by, now);
    return { moved: [...ids, ...repeated.moved], refused: [...refused, ...repeated.refused] };
  }

  /** The flows of the trips, locked as the action requires: while trips are revived, no new ones may start. */
  private async flowsFor(
    tx: Transaction,
    scope: TenantScope,
    kind: 'skip_wait' | 'retry_step',
    flowIds: readonly string[],
  ): Promise<LockedTrips['flows']> {
    if (kind === 'retry_step') return this.statuses.alone(tx, scope, flowIds);
    const statuses = await this.statuses.now(tx, scope, flowIds);
    return new Map([...statuses].map(([id, status]) => [id, { status }]));
  }

  private async crowdedAmong(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly MovableTrip[],
  ): Promise<ReadonlySet<string>> {
    if (trips.length === 0) return NONE;
    return crowded(trips, await this.repository.besideOthers(tx, scope, trips));
  }

  private async makeDue(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    trail: string,
    now: Date,
  ): Promise<void> {
    if (ids.length === 0) return;
    await this.repository.makeDue(tx, scope, ids, trail, now);
    tx.afterCommit(() => this.dispatcher.ring(TRIPS_BELL, scope));
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
): Parameters<typeof trailText>[0][number] {
  return { at, stepId: 0, outcome, facts: { by } };
}

function parted(
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
