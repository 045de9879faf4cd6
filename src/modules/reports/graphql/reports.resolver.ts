/** Reports for the dashboard. Calls the same service methods as REST. */
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { sliceOf } from '../../../kernel/page-cursor.js';
import type { Principal } from '../../../kernel/principal.js';
import { connectionOf, type CountedConnection } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ReportService } from '../application/report.service.js';
import { viewerOf } from '../domain/report-access.js';
import { encodeReportCursor, decodeReportCursor } from '../domain/report-filter.js';
import {
  CreateReportInput,
  reportChangeOf,
  reportContentOf,
  UpdateReportInput,
} from '../input/report.input.js';
import { ReportsArgs } from '../input/report-list.input.js';
import { ReportConnection, ReportOutput } from '../output/report.output.js';

const READ = { permission: 'analytics:read', keyScopes: ['reporting'] } as const;
const WRITE = { ...READ, isWriting: true } as const;

@Resolver(() => ReportOutput)
export class ReportsResolver {
  constructor(private readonly service: ReportService) {}

  @Query(() => ReportConnection, {
    complexity: COST.search,
    description:
      'Reports of the workspace and the caller’s private reports. The first call creates the template reports.',
  })
  @Requires(READ)
  async reports(
    @CurrentPrincipal() principal: Principal,
    @Args() args: ReportsArgs,
  ): Promise<CountedConnection<ReportOutput>> {
    const { first, filter, sortBy, sortDir } = args;
    const order = { sortBy, sortDir };
    const page = { limit: first + 1, offset: 0, after: decodeReportCursor(args.after, order) };
    const { reports, total } = await this.service.list(viewerOf(principal), filter, order, page);
    const listed = connectionOf(sliceOf(reports, first), args, (report) => ({
      cursor: encodeReportCursor(report, order),
      node: report,
    }));
    return { ...listed, totalCount: total };
  }

  @Query(() => ReportOutput, {
    complexity: COST.record,
    description:
      'Retrieves a report and updates when it was last viewed. Returns report_not_found if it does not exist.',
  })
  @Requires(READ)
  async report(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<ReportOutput> {
    return this.service.view(viewerOf(principal), id);
  }

  @Mutation(() => ReportOutput, { complexity: COST.change, description: 'Creates a report.' })
  @Requires(WRITE)
  async createReport(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: CreateReportInput,
  ): Promise<ReportOutput> {
    return this.service.create(viewerOf(principal), reportContentOf(input));
  }

  @Mutation(() => ReportOutput, {
    complexity: COST.change,
    description: 'Updates a report and increments its version.',
  })
  @Requires(WRITE)
  async updateReport(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') input: UpdateReportInput,
  ): Promise<ReportOutput> {
    return this.service.update(viewerOf(principal), id, reportChangeOf(input));
  }

  @Mutation(() => ID, {
    complexity: COST.change,
    description: 'Deletes a report permanently, with its share link and schedule. Returns its ID.',
  })
  @Requires(WRITE)
  async deleteReport(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<string> {
    await this.service.remove(viewerOf(principal), id);
    return id;
  }

  @Mutation(() => ReportOutput, {
    complexity: COST.change,
    description: 'Duplicates a report as a private report without share link and schedule.',
  })
  @Requires(WRITE)
  async duplicateReport(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<ReportOutput> {
    return this.service.duplicate(viewerOf(principal), id);
  }
}
