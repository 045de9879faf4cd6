/** Manual actions on trips, for people who operate a workspace's flows. */
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { encodeCursor, KEY, decodeCursor } from '../../../kernel/page-cursor.js';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { connectionOf, type Connection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TripMoveList } from '../application/trip-move-list.js';
import { TripMoves, type MoveResult, type RequestedMove } from '../application/trip-moves.js';
import { MoveTripsInput, TripMovesArgs, tripSelectorOf, moveSubjectOf } from '../input/trip-moves.input.js';
import {
  MovedTripsOutput,
  StuckTripConnection,
  type StuckTripOutput,
  TripMoveConnection,
  type TripMoveOutput,
} from '../output/trip-moves.output.js';

/** Names of lists, used in their cursors. */
const MOVES = 'actions on trips';
const STUCK = 'stuck trips';

@Resolver()
export class TripMovesResolver {
  constructor(
    private readonly moves: TripMoves,
    private readonly list: TripMoveList,
  ) {}

  @Mutation(() => MovedTripsOutput, {
    complexity: COST.sweep,
    description: 'Ends the waits of trips in wait steps. They continue immediately.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async skipWaits(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: MoveTripsInput,
  ): Promise<MovedTripsOutput> {
    return this.move(principal, 'skip_wait', input);
  }

  @Mutation(() => MovedTripsOutput, {
    complexity: COST.sweep,
    description: 'Ends trips in flight and cancels their waiting messages.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async endTrips(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: MoveTripsInput,
  ): Promise<MovedTripsOutput> {
    return this.move(principal, 'end', input);
  }

  @Mutation(() => MovedTripsOutput, {
    complexity: COST.sweep,
    description:
      'Retries trips that failed or are dead letters. For other trips, the last failed message is sent again ' +
      'as a new message, if it was certainly not sent. With flowId and stepId but without status, all failed ' +
      'messages of the step are sent again too.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async retrySteps(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: MoveTripsInput,
  ): Promise<MovedTripsOutput> {
    return this.move(principal, 'retry_step', input);
  }

  @Query(() => TripMoveConnection, {
    complexity: COST.list,
    description: 'Manual actions on the trips of a flow, or on one trip, newest first.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async tripMoves(
    @CurrentPrincipal() principal: Principal,
    @Args() args: TripMovesArgs,
  ): Promise<Connection<Edge<TripMoveOutput>>> {
    const { first, after } = args;
    const page = { first, after: decodeCursor(MOVES, after, KEY.none) };
    const slice = await this.list.moves(scopeOf(principal), moveSubjectOf(args), page);
    return connectionOf(slice, args, (node) => ({
      cursor: encodeCursor(MOVES, { key: '', id: node.id }),
      node,
    }));
  }

  @Query(() => StuckTripConnection, {
    complexity: COST.list,
    description: 'Trips in flight that nothing will wake: dead letters, and trips stuck because of a fault.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async stuckTrips(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PageArgs,
  ): Promise<Connection<Edge<StuckTripOutput>>> {
    const { first, after } = args;
    const slice = await this.list.stuck(scopeOf(principal), {
      first,
      after: decodeCursor(STUCK, after, KEY.none),
    });
    return connectionOf(slice, args, (node) => ({
      cursor: encodeCursor(STUCK, { key: '', id: node.id }),
      node,
    }));
  }

  private async move(principal: Principal, kind: RequestedMove, input: MoveTripsInput): Promise<MoveResult> {
    const selector = tripSelectorOf(input);
    const [scope, by] = [scopeOf(principal), actorOf(principal)];
    return 'ids' in selector
      ? this.moves.ofIds(scope, kind, selector.ids, by)
      : this.moves.ofFlow(scope, kind, selector, by);
  }
}
