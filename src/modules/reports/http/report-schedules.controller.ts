/** REST endpoints of report schedules, section 4.4. */
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
import { restOf } from '../../../platform/output/output-class.js';
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
import { ReportScheduleOutput } from '../output/report-schedule.output.js';

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
    summary: 'Schedule a report by email; a report can have one schedule',
    description:
      'Times are local to the time zone. A time skipped by daylight saving is moved to right after the gap. ' +
      'The email shows data of the environment in which the schedule was created.',
  })
  @ApiCreatedResponse({ type: ReportScheduleOutput })
  @ApiErrors(...CHANGE_ERRORS, 'validation_error', 'invalid_email', 'invalid_field', 'schedule_exists')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: CreateReportScheduleInput,
  ): Promise<object> {
    return restOf(
      ReportScheduleOutput,
      await this.schedules.create(viewerOf(principal), id, newScheduleOf(input)),
    );
  }

  @Get()
  @Requires(READ)
  @ApiOperation({ summary: 'Retrieve the schedule of a report' })
  @ApiOkResponse({ type: ReportScheduleOutput })
  @ApiErrors('schedule_not_found')
  async get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(ReportScheduleOutput, await this.schedules.get(viewerOf(principal), id));
  }

  @Put()
  @Requires(WRITE)
  @ApiOperation({
    summary: 'Update a schedule; omitted fields do not change, and a paused schedule stays paused',
    description: 'The next send time is recalculated. Changing the frequency clears the previous day.',
  })
  @ApiOkResponse({ type: ReportScheduleOutput })
  @ApiErrors(...CHANGE_ERRORS, 'invalid_email', 'invalid_field', 'schedule_not_found')
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: UpdateReportScheduleInput,
  ): Promise<object> {
    return restOf(
      ReportScheduleOutput,
      await this.schedules.update(viewerOf(principal), id, scheduleChangeOf(input)),
    );
  }

  @Delete()
  @HttpCode(204)
  @Requires(WRITE)
  @ApiOperation({ summary: 'Delete the schedule of a report' })
  @ApiNoContentResponse({ description: 'The schedule was deleted.' })
  @ApiErrors(...CHANGE_ERRORS, 'schedule_not_found')
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    await this.schedules.remove(viewerOf(principal), id);
  }

  @Post('pause')
  @HttpCode(200)
  @Requires(WRITE)
  @ApiOperation({ summary: 'Pause a schedule; nothing is sent until it is resumed' })
  @ApiOkResponse({ type: ReportScheduleOutput })
  @ApiErrors(...CHANGE_ERRORS, 'schedule_not_found')
  async pause(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(ReportScheduleOutput, await this.schedules.pause(viewerOf(principal), id));
  }

  @Post('resume')
  @HttpCode(200)
  @Requires(WRITE)
  @ApiOperation({ summary: 'Resume a schedule at its next date; missed dates are skipped' })
  @ApiOkResponse({ type: ReportScheduleOutput })
  @ApiErrors(...CHANGE_ERRORS, 'schedule_not_found')
  async resume(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(ReportScheduleOutput, await this.schedules.resume(viewerOf(principal), id));
  }
}
