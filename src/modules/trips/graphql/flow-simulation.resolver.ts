/** GraphQL query that simulates a flow. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { assertMayCheckAddresses } from '../../flows/domain/address-checks.js';
import { FlowSimulationService } from '../application/flow-simulation.service.js';
import { REQUEST_TIME_LIMITS } from '../application/simulation-scheduler.js';
import { SimulateFlowArgs, simulationRequestOf } from '../input/flow-simulation.input.js';
import { FlowSimulationOutput, flowSimulationOutput } from '../output/flow-simulation.output.js';

@Resolver()
export class FlowSimulationResolver {
  constructor(private readonly simulations: FlowSimulationService) {}

  @Query(() => FlowSimulationOutput, {
    complexity: COST.simulation,
    description:
      'Simulates what a flow or a draft would have done with the events of a period. Has no effects. At most ' +
      '93 days and 100,000 events; one simulation per workspace at a time. After 8 seconds it returns the ' +
      'result so far.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async simulateFlow(
    @CurrentPrincipal() principal: Principal,
    @Args() args: SimulateFlowArgs,
  ): Promise<FlowSimulationOutput> {
    const request = simulationRequestOf(args);
    assertMayCheckAddresses(principal, request.draft?.steps);
    const showsPeople = mayReadContacts(principal);
    const options = { showsPeople, time: REQUEST_TIME_LIMITS };
    return flowSimulationOutput(await this.simulations.simulate(scopeOf(principal), request, options));
  }
}
