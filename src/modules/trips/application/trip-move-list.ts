/** Lists manual actions on trips, and trips that need one. */
import { Injectable } from '@nestjs/common';
import { sliceOf, type Slice, type WantedPage } from '../../../kernel/place.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { FlowService } from '../../flows/application/flow.service.js';
import { SetAsideList } from '../../set-aside/application/set-aside-list.js';
import { SET_ASIDE_REASONS } from '../../set-aside/domain/set-aside-work.js';
import type { MovableTrip } from '../domain/trip-move.js';
import { waitOf, type Waiting } from '../domain/waiting.js';
import { Clock } from '../../../kernel/clock.js';
import { TripMoveRepository, type TripMove } from '../persistence/trip-move.repository.js';

export interface StuckTrip extends MovableTrip {
  readonly waitsFor: Waiting;
}

@Injectable()
export class TripMoveList {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowService,
    private readonly repository: TripMoveRepository,
    private readonly setAside: SetAsideList,
    private readonly clock: Clock,
  ) {}

  /**
   * The manual actions on a flow's trips, or on one trip, latest first.
   * @throws DomainError flow_not_found.
   */
  async moves(
    scope: TenantScope,
    which: { readonly flowId: string } | { readonly tripId: string },
    { first, after }: WantedPage,
  ): Promise<Slice<TripMove>> {
    if ('flowId' in which) await this.flows.get(scope, which.flowId);
    const moves = await this.database.listInScope(scope, (tx) =>
      this.repository.moves(tx, scope, which, { limit: first + 1, before: after?.id }),
    );
    return sliceOf(moves, first);
  }

  /** Trips under way that nothing wakes by itself, latest first. */
  async stuck(scope: TenantScope, { first, after }: WantedPage): Promise<Slice<StuckTrip>> {
    return this.database.listInScope(scope, async (tx) => {
      const trips = await this.repository.unwoken(tx, scope, { limit: first + 1, before: after?.id });
      const work = await this.setAside.of(
        tx,
        scope,
        'trip',
        trips.map(({ id }) => id),
      );
      const now = this.clock.now();
      const told = trips.map((trip): StuckTrip => {
        const one = work.get(trip.id);
        const setAside = one && { ...one, reason: SET_ASIDE_REASONS[one.code] };
        return { ...trip, waitsFor: waitOf({ trip, messages: [], setAside }, now) };
      });
      return sliceOf(told, first);
    });
  }
}
