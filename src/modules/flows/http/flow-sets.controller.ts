/** REST endpoints for sets of flows, section 4.2: bulk action, export, tags. */
import { Body, Controller, Get, HttpCode, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { FlowBulkService } from '../application/flow-bulk.service.js';
import { FlowExportService } from '../application/flow-export.service.js';
import { FlowService } from '../application/flow.service.js';
import { BulkFlowActionInput } from '../input/flow-bulk.input.js';
import { FlowExportQuery } from '../input/flow-list.input.js';
import { BulkFlowActionOutput, bulkFlowActionOutput } from '../output/flow-bulk.output.js';

const CSV = 'text/csv; charset=utf-8';

const EXAMPLE = `Name,Trigger Event,Content Type,Status,Version,Steps,Tags,Created,Updated
Onboarding,signed_up,transactional,active,3,4,"welcome, trial",2026-03-01T09:00:00.000Z,2026-03-02T09:00:00.000Z
`;

@ApiTags('flows')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/flows')
export class FlowSetsController {
  constructor(
    private readonly bulk: FlowBulkService,
    private readonly exports: FlowExportService,
    private readonly flows: FlowService,
  ) {}

  @Post('bulk-action')
  @HttpCode(200)
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({
    summary: 'Activate, pause or stop up to 100 flows',
    description:
      'Flows are processed independently: a flow that fails is reported in errors and does not affect the others.',
  })
  @ApiOkResponse({ type: BulkFlowActionOutput })
  @ApiErrors('validation_error', 'invalid_field', 'too_long', 'too_short')
  async bulkAction(
    @CurrentPrincipal() principal: Principal,
    @Body() { flowIds, action }: BulkFlowActionInput,
  ): Promise<object> {
    const outcome = await this.bulk.act(scopeOf(principal), flowIds, action, actorOf(principal));
    return restOf(BulkFlowActionOutput, bulkFlowActionOutput(outcome));
  }

  @Get('export')
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  @ApiOperation({
    summary: 'Export flows as CSV, most recently updated first',
    description:
      'Streamed. Archived flows are only included with `status=archived`. Text that a spreadsheet would ' +
      'interpret as a formula (starting with = + - @, tab or carriage return) is prefixed with an apostrophe.',
  })
  @ApiProduces(CSV)
  @ApiOkResponse({ content: { [CSV]: { schema: { type: 'string' }, example: EXAMPLE } } })
  @ApiErrors('invalid_field', 'work_too_costly')
  async export(
    @CurrentPrincipal() principal: Principal,
    @Query() query: FlowExportQuery,
  ): Promise<StreamableFile> {
    return new StreamableFile(await this.exports.csv(scopeOf(principal), query), {
      type: CSV,
      disposition: 'attachment; filename="flows.csv"',
    });
  }

  @Get('tags')
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'List the distinct tags of all flows that are not archived, sorted' })
  @ApiOkResponse({ type: [String] })
  async tags(@CurrentPrincipal() principal: Principal): Promise<string[]> {
    return this.flows.tags(scopeOf(principal));
  }
}
