/** Links and schedules of reports for the dashboard: the same methods that REST calls. */
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
import { ReportScheduleType, ReportShareLinkType } from './report.type.js';

const WRITE = { permission: 'analytics:read', keyScopes: ['reporting'], isWriting: true } as const;

@Resolver()
export class ReportSharingResolver {
  constructor(
    private readonly shares: ReportShares,
    private readonly schedules: ReportSchedules,
  ) {}

  @Mutation(() => ReportShareLinkType, {
    complexity: COST.change,
    description: 'Makes the link of a report, in place of the one that it has; the token is shown this once.',
  })
  @Requires(WRITE)
  async shareReport(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input', { defaultValue: {} }) input: ShareReportInput,
  ): Promise<ReportShareLinkType> {
    return this.shares.create(viewerOf(principal), id, daysOfLink(input));
  }

  @Mutation(() => ID, {
    complexity: COST.change,
    description: 'Revokes the link of a report; gives the report’s id.',
  })
  @Requires(WRITE)
  async revokeReportShare(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<string> {
    await this.shares.revoke(viewerOf(principal), id);
    return id;
  }

  @Mutation(() => ReportScheduleType, {
    complexity: COST.change,
    description: 'Has a report mailed; one schedule a report.',
  })
  @Requires(WRITE)
  async scheduleReport(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') input: CreateReportScheduleInput,
  ): Promise<ReportScheduleType> {
    return this.schedules.create(viewerOf(principal), id, newScheduleOf(input));
  }

  @Mutation(() => ReportScheduleType, {
    complexity: COST.change,
    description: 'Changes a schedule, and when it is sent next; one that is paused stays so.',
  })
  @Requires(WRITE)
  async updateReportSchedule(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') input: UpdateReportScheduleInput,
  ): Promise<ReportScheduleType> {
    return this.schedules.update(viewerOf(principal), id, scheduleChangeOf(input));
  }

  @Mutation(() => ID, {
    complexity: COST.change,
    description: 'Deletes the schedule of a report; gives the report’s id.',
  })
  @Requires(WRITE)
  async deleteReportSchedule(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<string> {
    await this.schedules.remove(viewerOf(principal), id);
    return id;
  }

  @Mutation(() => ReportScheduleType, {
    complexity: COST.change,
    description: 'Sends nothing until it is resumed.',
  })
  @Requires(WRITE)
  async pauseReportSchedule(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<ReportScheduleType> {
    return this.schedules.pause(viewerOf(principal), id);
  }

  @Mutation(() => ReportScheduleType, {
    complexity: COST.change,
    description: 'Goes on with the next date; those that were missed are not made up for.',
  })
  @Requires(WRITE)
  async resumeReportSchedule(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<ReportScheduleType> {
    return this.schedules.resume(viewerOf(principal), id);
  }
}
