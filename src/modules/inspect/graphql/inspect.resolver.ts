/** Quality analysis for the dashboard; calls the same methods as REST. */
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { sliceOf } from '../../../kernel/page-cursor.js';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import {
  connectionOf,
  type Connection,
  type CountedConnection,
  type Edge,
} from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { planOf } from '../../limits/domain/plan.js';
import { InspectFindings } from '../application/inspect-findings.js';
import { InspectRuns } from '../application/inspect-runs.js';
import { findingCursor, parseFindingCursor } from '../domain/findings/inspect-finding.js';
import { jobCursor, parseJobCursor } from '../domain/runs/inspect-job.js';
import {
  InspectFindingsArgs,
  InspectJobsArgs,
  MarkFalsePositiveInput,
  RunInspectionInput,
  runRequestOf,
  SnoozeFindingInput,
} from '../input/inspect-run.input.js';
import {
  findingOutput,
  InspectFindingConnection,
  InspectFindingOutput,
} from '../output/inspect-finding.output.js';
import {
  InspectJobConnection,
  InspectJobOutput,
  InspectJobWithScreenshotsOutput,
  jobOutput,
  QueuedInspectionOutput,
  queuedInspectionOutput,
} from '../output/inspect-job.output.js';

@Resolver()
export class InspectResolver {
  constructor(
    private readonly runs: InspectRuns,
    private readonly findings: InspectFindings,
  ) {}

  @Query(() => InspectJobWithScreenshotsOutput, {
    complexity: COST.record,
    description: 'Retrieves a run. Returns inspect_job_not_found if it does not exist.',
  })
  @Requires({ permission: 'inspect:read' })
  async inspectJob(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<InspectJobWithScreenshotsOutput> {
    return jobOutput(await this.runs.get(scopeOf(principal), id));
  }

  @Query(() => InspectJobConnection, {
    complexity: COST.list,
    description: 'Runs of a template, newest first.',
  })
  @Requires({ permission: 'inspect:read' })
  async inspectJobs(
    @CurrentPrincipal() principal: Principal,
    @Args() args: InspectJobsArgs,
  ): Promise<Connection<Edge<InspectJobOutput>>> {
    const page = { first: args.first, after: parseJobCursor(args.after) };
    const found = await this.runs.ofTemplate(scopeOf(principal), args.templateSlug, page);
    return connectionOf(found, args, (job) => ({ cursor: jobCursor(job), node: jobOutput(job) }));
  }

  @Query(() => InspectFindingConnection, {
    complexity: COST.list,
    description: 'Findings of a run with their current status, most severe first.',
  })
  @Requires({ permission: 'inspect:read' })
  async inspectFindings(
    @CurrentPrincipal() principal: Principal,
    @Args() args: InspectFindingsArgs,
  ): Promise<CountedConnection<InspectFindingOutput>> {
    const { jobId, filter, first } = args;
    const page = { limit: first + 1, offset: 0, after: parseFindingCursor(args.after) };
    const { findings, total } = await this.findings.page(scopeOf(principal), jobId, filter, page);
    const listed = connectionOf(sliceOf(findings, first), args, (finding) => ({
      cursor: findingCursor(finding),
      node: findingOutput(finding),
    }));
    return { ...listed, totalCount: total };
  }

  @Mutation(() => QueuedInspectionOutput, {
    complexity: COST.change,
    description: 'Starts a quality analysis of a template in its current version.',
  })
  @Requires({ permission: 'inspect:write' })
  async runInspection(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: RunInspectionInput,
  ): Promise<QueuedInspectionOutput> {
    const plan = planOf(principal.plan);
    const request = runRequestOf(input);
    const run = await this.runs.request(scopeOf(principal), plan, request, actorOf(principal));
    return queuedInspectionOutput(run);
  }

  @Mutation(() => InspectFindingOutput, {
    complexity: COST.change,
    description: 'Snoozes a finding for a number of days, including in later runs.',
  })
  @Requires({ permission: 'inspect:write' })
  async snoozeFinding(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') { days, reason }: SnoozeFindingInput,
  ): Promise<InspectFindingOutput> {
    const request = { status: 'snoozed', days, reason: reason ?? null } as const;
    return findingOutput(await this.findings.mark(scopeOf(principal), id, request, actorOf(principal)));
  }

  @Mutation(() => InspectFindingOutput, {
    complexity: COST.change,
    description: 'Marks a finding as fixed. It reopens if a later run finds it again.',
  })
  @Requires({ permission: 'inspect:write' })
  async markFindingFixed(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<InspectFindingOutput> {
    const request = { status: 'fixed', reason: null } as const;
    return findingOutput(await this.findings.mark(scopeOf(principal), id, request, actorOf(principal)));
  }

  @Mutation(() => InspectFindingOutput, {
    complexity: COST.change,
    description: 'Marks a finding as a false positive, including in later runs.',
  })
  @Requires({ permission: 'inspect:write' })
  async markFindingFalsePositive(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') { reason }: MarkFalsePositiveInput,
  ): Promise<InspectFindingOutput> {
    const request = { status: 'false_positive', reason: reason ?? null } as const;
    return findingOutput(await this.findings.mark(scopeOf(principal), id, request, actorOf(principal)));
  }
}
