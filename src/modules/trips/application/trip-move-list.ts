/** Lists manual actions on trips, and trips that need one. */
import { Injectable } from '@nestjs/common';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { FlowService } from '../../flows/application/flow.service.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import { DEAD_LETTER_REASONS } from '../../dead-letters/domain/dead-letter.js';
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
    private readonly deadLetters: DeadLetterList,
    private readonly clock: Clock,
  ) {}

  /**
   * The manual actions on a flow's trips, or on one trip, latest first.
   * @throws DomainError flow_not_found.
   */
  async moves(
    scope: TenantScope,
    subject: { readonly flowId: string } | { readonly tripId: string },
    { first, after }: PageRequest,
  ): Promise<Slice<TripMove>> {
    if ('flowId' in subject) await this.flows.get(scope, subject.flowId);
    const moves = await this.database.listInScope(scope, (tx) =>
      this.repository.moves(tx, scope, subject, { limit: first + 1, before: after?.id }),
    );
    return sliceOf(moves, first);
  }

  /** Trips under way that nothing wakes by itself, latest first. */
  async stuck(scope: TenantScope, { first, after }: PageRequest): Promise<Slice<StuckTrip>> {
    return this.database.listInScope(scope, async (tx) => {
      const trips = await this.repository.findStuck(tx, scope, { limit: first + 1, before: after?.id });
      const deadLettersByTrip = await this.deadLetters.bySubject(
        tx,
        scope,
        'trip',
        trips.map(({ id }) => id),
      );
      const now = this.clock.now();
      const stuckTrips = trips.map((trip): StuckTrip => {
        const found = deadLettersByTrip.get(trip.id);
        const deadLetter = found && { ...found, reason: DEAD_LETTER_REASONS[found.code] };
        return { ...trip, waitsFor: waitOf({ trip, messages: [], deadLetter }, now) };
      });
      return sliceOf(stuckTrips, first);
    });
  }
}
