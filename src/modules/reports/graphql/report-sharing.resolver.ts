/** Share links and schedules of reports for the dashboard. Calls the same service methods as REST. */
import { Args, ID, Mutation, Resolver } from '@nestjs/graphql';
import type { Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ReportSchedules } from '../application/report-schedules.service.js';
import { ReportShares } from '../application/report-shares.service.js';
import { viewerOf } from '../domain/report-access.js';
import {
  CreateReportScheduleInput,
  newScheduleOf,
  scheduleChangeOf,
  UpdateReportScheduleInput,
} from '../input/report-schedule.input.js';
import { daysOfLink, ShareReportInput } from '../input/report-share.input.js';
import { ReportShareLinkOutput } from '../output/report.output.js';
import { ReportScheduleOutput } from '../output/report-schedule.output.js';

const WRITE = { permission: 'analytics:read', keyScopes: ['reporting'], isWriting: true } as const;

@Resolver()
export class ReportSharingResolver {
  constructor(
    private readonly shares: ReportShares,
    private readonly schedules: ReportSchedules,
  ) {}

  @Mutation(() => ReportShareLinkOutput, {
    complexity: COST.change,
    description:
      'Creates a share link for a report, replacing any existing one. The token is returned only once.',
  })
  @Requires(WRITE)
  async shareReport(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input', { defaultValue: {} }) input: ShareReportInput,
  ): Promise<ReportShareLinkOutput> {
    return this.shares.create(viewerOf(principal), id, daysOfLink(input));
  }

  @Mutation(() => ID, {
    complexity: COST.change,
    description: 'Revokes the share link of a report. Returns the report’s ID.',
  })
  @Requires(WRITE)
  async revokeReportShare(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<string> {
    await this.shares.revoke(viewerOf(principal), id);
    return id;
  }

  @Mutation(() => ReportScheduleOutput, {
    complexity: COST.change,
    description: 'Schedules a report by email. A report can have one schedule.',
  })
  @Requires(WRITE)
  async scheduleReport(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') input: CreateReportScheduleInput,
  ): Promise<ReportScheduleOutput> {
    return this.schedules.create(viewerOf(principal), id, newScheduleOf(input));
  }

  @Mutation(() => ReportScheduleOutput, {
    complexity: COST.change,
    description: 'Updates a schedule and its next send time. A paused schedule stays paused.',
  })
  @Requires(WRITE)
  async updateReportSchedule(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') input: UpdateReportScheduleInput,
  ): Promise<ReportScheduleOutput> {
    return this.schedules.update(viewerOf(principal), id, scheduleChangeOf(input));
  }

  @Mutation(() => ID, {
    complexity: COST.change,
    description: 'Deletes the schedule of a report. Returns the report’s ID.',
  })
  @Requires(WRITE)
  async deleteReportSchedule(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<string> {
    await this.schedules.remove(viewerOf(principal), id);
    return id;
  }

  @Mutation(() => ReportScheduleOutput, {
    complexity: COST.change,
    description: 'Pauses a schedule. Nothing is sent until it is resumed.',
  })
  @Requires(WRITE)
  async pauseReportSchedule(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<ReportScheduleOutput> {
    return this.schedules.pause(viewerOf(principal), id);
  }

  @Mutation(() => ReportScheduleOutput, {
    complexity: COST.change,
    description: 'Resumes a schedule at its next date. Missed dates are skipped.',
  })
  @Requires(WRITE)
  async resumeReportSchedule(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<ReportScheduleOutput> {
    return this.schedules.resume(viewerOf(principal), id);
  }
}
