/** REST endpoints for a flow's version history, section 4.2. */
import { Body, Controller, Get, HttpCode, Param, Post, type StreamableFile } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { answerList } from '../../../platform/http/list-answer.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { FlowVersionsService } from '../application/flow-versions.service.js';
import { versionNumberOf, type RestoreOptions } from '../domain/flow-version.js';
import { readRestoreOptions, RestoreFlowInput } from '../input/flow.input.js';
import { FlowOutput } from '../output/flow.output.js';
import { FlowVersionOutput } from '../output/flow-version.output.js';

@ApiTags('flows')
@ApiErrors('missing_permission', 'insufficient_scope', 'flow_not_found')
@Controller('v1/flows/:id/versions')
export class FlowVersionsController {
  constructor(private readonly versions: FlowVersionsService) {}

  @Get()
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'List the versions of a flow, newest first' })
  @ApiOkResponse({ type: [FlowVersionOutput] })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<object[] | StreamableFile> {
    const versions = await this.versions.list(scopeOf(principal), id);
    return answerList(versions, (version) => restOf(FlowVersionOutput, version));
  }

  @Get(':version')
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Retrieve the latest snapshot of a version' })
  @ApiOkResponse({ type: FlowVersionOutput })
  @ApiErrors('flow_version_not_found')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('version') version: string,
  ): Promise<object> {
    const found = await this.versions.get(scopeOf(principal), id, versionNumberOf(version));
    return restOf(FlowVersionOutput, found);
  }

  @Post(':version/restore')
  @HttpCode(200)
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  @ApiOperation({
    summary: 'Restore a version of a draft, paused or stopped flow as a new version; trips do not change',
  })
  @ApiBody({ type: RestoreFlowInput, required: false })
  @ApiOkResponse({ type: FlowOutput })
  @ApiErrors('validation_error', 'invalid_field', 'flow_version_not_found', 'flow_has_inflight_trips')
  async restore(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('version') version: string,
    @Body() body: unknown,
  ): Promise<object> {
    const number = versionNumberOf(version);
    const readOptions = (): RestoreOptions => readRestoreOptions(body, 'body');
    const flow = await this.versions.restore(scopeOf(principal), id, number, principal, readOptions);
    return restOf(FlowOutput, flow);
  }
}
