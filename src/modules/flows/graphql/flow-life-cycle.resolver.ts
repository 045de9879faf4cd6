/** GraphQL mutations that activate, pause, stop, archive and unarchive flows, for the dashboard. */
import { Args, ID, Mutation, Resolver } from '@nestjs/graphql';
import { internalSpelling } from '../../../kernel/letter-case.js';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { tokensOf } from '../../inspect/input/override.input.js';
import { planOf } from '../../limits/domain/plan.js';
import { FlowBulkService } from '../application/flow-bulk.service.js';
import { FlowLifeCycle } from '../application/flow-life-cycle.js';
import { stepWarnings } from '../domain/step-warnings.js';
import { ActivateFlowArgs } from '../input/activate-flow.input.js';
import { BulkFlowActionInput } from '../input/flow-bulk.input.js';
import { BulkFlowActionOutput, bulkFlowActionOutput } from '../output/flow-bulk.output.js';
import { FlowOutput } from '../output/flow.output.js';

@Resolver()
export class FlowLifeCycleResolver {
  constructor(
    private readonly service: FlowLifeCycle,
    private readonly bulk: FlowBulkService,
  ) {}

  @Mutation(() => FlowOutput, {
    complexity: COST.computation,
    description:
      'Activates a draft, paused or stopped flow. Override tokens allow templates with critical findings.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async activateFlow(
    @CurrentPrincipal() principal: Principal,
    @Args() { id, ...tokens }: ActivateFlowArgs,
  ): Promise<FlowOutput> {
    const call = { tokens: tokensOf(tokens) };
    const { result, warnings } = await this.service.activate(scopeOf(principal), id, call);
    return { ...result, warnings, stepWarnings: stepWarnings(result, internalSpelling) };
  }

  @Mutation(() => FlowOutput, {
    complexity: COST.change,
    description: 'Pauses an active flow. No new trips start; trips in flight continue.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async pauseFlow(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<FlowOutput> {
    return this.service.pause(scopeOf(principal), id);
  }

  @Mutation(() => FlowOutput, {
    complexity: COST.sweep,
    description: 'Stops an active flow and ends all of its trips immediately.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async stopFlow(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<FlowOutput> {
    return this.service.stop(scopeOf(principal), id, actorOf(principal));
  }

  @Mutation(() => FlowOutput, {
    complexity: COST.change,
    description:
      'Archives a draft, paused or stopped flow without trips in flight. It is only listed when filtering by ' +
      'status and does not count toward the plan.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async archiveFlow(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<FlowOutput> {
    return this.service.archive(scopeOf(principal), id, actorOf(principal));
  }

  @Mutation(() => FlowOutput, {
    complexity: COST.change,
    description: 'Restores an archived flow to its previous status.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async unarchiveFlow(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<FlowOutput> {
    return this.service.unarchive(scopeOf(principal), planOf(principal.plan), id);
  }

  @Mutation(() => BulkFlowActionOutput, {
    complexity: COST.wholeTenant,
    description: 'Activates, pauses or stops up to 100 flows independently.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async bulkFlowAction(
    @CurrentPrincipal() principal: Principal,
    @Args('input') { flowIds, action }: BulkFlowActionInput,
  ): Promise<BulkFlowActionOutput> {
    const outcome = await this.bulk.act(scopeOf(principal), flowIds, action, actorOf(principal));
    return bulkFlowActionOutput(outcome);
  }
}
