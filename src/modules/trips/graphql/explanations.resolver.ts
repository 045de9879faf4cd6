/** GraphQL queries that explain trips and silences. */
import { Args, ID, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { SilenceExplanations } from '../application/silence-explanations.js';
import { TripExplanations } from '../application/trip-explanations.js';
import { ExplainSilenceArgs, contactSelectorOf } from '../input/explanation.input.js';
import {
  SilenceExplanationOutput,
  TripExplanationOutput,
  tripExplanationOutput,
} from '../output/explanation.output.js';

@Resolver()
export class ExplanationsResolver {
  constructor(
    private readonly trips: TripExplanations,
    private readonly silences: SilenceExplanations,
  ) {}

  @Query(() => TripExplanationOutput, {
    complexity: COST.list,
    nullable: true,
    description:
      'Every decision about a trip with its reason and inputs, what the trip is waiting for, and why it ended.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async explainTrip(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<TripExplanationOutput | null> {
    const explained = await this.trips.ofTrip(scopeOf(principal), id, mayReadContacts(principal));
    return explained ? tripExplanationOutput(explained) : null;
  }

  @Query(() => SilenceExplanationOutput, {
    complexity: COST.search,
    description: 'Why a contact did not enter a flow or received no mail.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async explainSilence(
    @CurrentPrincipal() principal: Principal,
    @Args() args: ExplainSilenceArgs,
  ): Promise<SilenceExplanationOutput> {
    const { flowId } = args;
    const withValues = mayReadContacts(principal);
    return this.silences.of(scopeOf(principal), contactSelectorOf(args), flowId, withValues);
  }
}
