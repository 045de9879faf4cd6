/** Analyses for the dashboard. Calls the same service methods as REST. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ReportAnalysesService } from '../application/report-analyses.service.js';
import {
  CohortArgs,
  CompareFlowsArgs,
  FlowGroupsArgs,
  FunnelArgs,
  membersOf,
  returnsOf,
  tagsOf,
} from '../input/report-analyses.input.js';
import {
  CohortReportOutput,
  FlowComparisonOutput,
  FlowGroupsOutput,
  FunnelOutput,
} from '../output/report-analyses.output.js';

const READ = { permission: 'analytics:read', keyScopes: ['reporting'] } as const;

@Resolver()
export class ReportAnalysesResolver {
  constructor(private readonly analyses: ReportAnalysesService) {}

  @Query(() => FunnelOutput, {
    complexity: COST.search,
    description: 'How many messages, or trips through a flow, reached each stage.',
  })
  @Requires(READ)
  async funnel(@CurrentPrincipal() principal: Principal, @Args() args: FunnelArgs): Promise<FunnelOutput> {
    const { type, flowId = '' } = args;
    const scope = scopeOf(principal);
    return type === 'email'
      ? this.analyses.emailFunnel(scope, args, args)
      : this.analyses.flowFunnel(scope, flowId, args);
  }

  @Query(() => CohortReportOutput, {
    complexity: COST.wholeTenant,
    description:
      'Groups people by the period in which they started and shows how many were active in each following period.',
  })
  @Requires(READ)
  async cohort(
    @CurrentPrincipal() principal: Principal,
    @Args() args: CohortArgs,
  ): Promise<CohortReportOutput> {
    const { period, periods } = args;
    const request = { members: membersOf(args), returns: returnsOf(args), period, periods };
    return this.analyses.cohort(scopeOf(principal), request, args);
  }

  @Query(() => FlowComparisonOutput, {
    complexity: COST.search,
    description: 'Compares two to four flows.',
  })
  @Requires(READ)
  async compareFlows(
    @CurrentPrincipal() principal: Principal,
    @Args() args: CompareFlowsArgs,
  ): Promise<FlowComparisonOutput> {
    return this.analyses.compare(scopeOf(principal), args.flowIds, args);
  }

  @Query(() => FlowGroupsOutput, {
    complexity: COST.search,
    description: 'Flow performance grouped by the flows’ current tags.',
  })
  @Requires(READ)
  async flowGroups(
    @CurrentPrincipal() principal: Principal,
    @Args() args: FlowGroupsArgs,
  ): Promise<FlowGroupsOutput> {
    return this.analyses.groups(scopeOf(principal), tagsOf(args), args);
  }
}
