/** REST of reports' schedules, section 4.4. */
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ReportSchedules } from '../application/report-schedules.service.js';
import { viewerOf } from '../domain/report-access.js';
import {
  CreateReportScheduleInput,
  newScheduleOf,
  scheduleChangeOf,
  UpdateReportScheduleInput,
} from '../input/report-schedule.input.js';
import { presentSchedule, ReportScheduleResponse } from './report-schedule.presenter.js';

const READ = { permission: 'analytics:read', keyScopes: ['reporting'] } as const;
const WRITE = { ...READ, isWriting: true } as const;
const CHANGE_ERRORS = ['template_report_read_only', 'insufficient_role', 'workspace_suspended'] as const;

@ApiTags('reports')
@ApiErrors('missing_permission', 'insufficient_scope', 'report_not_found')
@Controller('v1/reports/:id/schedule')
export class ReportSchedulesController {
  constructor(private readonly schedules: ReportSchedules) {}

  @Post()
  @Requires(WRITE)
  @ApiOperation({
    summary: 'Have a report mailed; one schedule a report',
    description:
      'Hours are those of the zone’s clocks: an hour that is passed over comes right after the gap. The mail shows data of ' +
      'the environment in which the schedule is made.',
  })
  @ApiCreatedResponse({ type: ReportScheduleResponse })
  @ApiErrors(...CHANGE_ERRORS, 'validation_error', 'invalid_email', 'invalid_field', 'schedule_exists')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: CreateReportScheduleInput,
  ): Promise<ReportScheduleResponse> {
    return presentSchedule(await this.schedules.create(viewerOf(principal), id, newScheduleOf(input)));
  }

  @Get()
  @Requires(READ)
  @ApiOperation({ summary: 'The schedule of a report' })
  @ApiOkResponse({ type: ReportScheduleResponse })
  @ApiErrors('schedule_not_found')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<ReportScheduleResponse> {
    return presentSchedule(await this.schedules.get(viewerOf(principal), id));
  }

  @Put()
  @Requires(WRITE)
  @ApiOperation({
    summary: 'Change a schedule: what is left out stays, and one that is paused stays so',
    description:
      'When it is sent next is reckoned anew. Another frequency takes the day of the one before away.',
  })
  @ApiOkResponse({ type: ReportScheduleResponse })
  @ApiErrors(...CHANGE_ERRORS, 'invalid_email', 'invalid_field', 'schedule_not_found')
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: UpdateReportScheduleInput,
  ): Promise<ReportScheduleResponse> {
    return presentSchedule(await this.schedules.update(viewerOf(principal), id, scheduleChangeOf(input)));
  }

  @Delete()
  @HttpCode(204)
  @Requires(WRITE)
  @ApiOperation({ summary: 'Delete the schedule of a report' })
  @ApiNoContentResponse({ description: 'The report is mailed no more.' })
  @ApiErrors(...CHANGE_ERRORS, 'schedule_not_found')
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    await this.schedules.remove(viewerOf(principal), id);
  }

  @Post('pause')
  @HttpCode(200)
  @Requires(WRITE)
  @ApiOperation({ summary: 'Send nothing until it is resumed' })
  @ApiOkResponse({ type: ReportScheduleResponse })
  @ApiErrors(...CHANGE_ERRORS, 'schedule_not_found')
  async pause(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<ReportScheduleResponse> {
    return presentSchedule(await this.schedules.pause(viewerOf(principal), id));
  }

  @Post('resume')
  @HttpCode(200)
  @Requires(WRITE)
  @ApiOperation({ summary: 'Go on with the next date; those that were missed are not made up for' })
  @ApiOkResponse({ type: ReportScheduleResponse })
  @ApiErrors(...CHANGE_ERRORS, 'schedule_not_found')
  async resume(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<ReportScheduleResponse> {
    return presentSchedule(await this.schedules.resume(viewerOf(principal), id));
  }
}
