/** Simulations of flows for the dashboard. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { assertMayAsk } from '../../flows/domain/address-checks.js';
import { FlowSimulationService } from '../application/flow-simulation.service.js';
import { TIME_OF_REQUEST } from '../application/simulation-turns.js';
import { SimulateFlowArgs, simulationWishOf } from '../input/flow-simulation.input.js';
import { FlowSimulationType, flowSimulationType } from './flow-simulation.type.js';

@Resolver()
export class FlowSimulationResolver {
  constructor(private readonly simulations: FlowSimulationService) {}

  @Query(() => FlowSimulationType, {
    complexity: COST.simulation,
    description:
      'What a flow, or a draft of one, would have done with the events of a period, without any effect. At most 93 days ' +
      'and 100,000 events, and one simulation of a workspace at a time; one that would take longer than 8 seconds answers ' +
      'how far it has come.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async simulateFlow(
    @CurrentPrincipal() principal: Principal,
    @Args() args: SimulateFlowArgs,
  ): Promise<FlowSimulationType> {
    const wish = simulationWishOf(args);
    assertMayAsk(principal, wish.draft?.steps);
    const showsPeople = mayReadContacts(principal);
    const options = { showsPeople, time: TIME_OF_REQUEST };
    return flowSimulationType(await this.simulations.simulate(scopeOf(principal), wish, options));
  }
}
