/** REST endpoints for files from which contacts are read, section 4.9. Uploads are stored as they arrive. */
import { Controller, Post, Req, UseGuards } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes, ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { receiveUpload, TAKES_UPLOADS } from '../../../platform/http/upload.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { PlanGuard } from '../../access/plan.guard.js';
import { Requires } from '../../access/requires.decorator.js';
import { ImportFiles } from '../application/import-files.js';
import { MAX_UPLOAD_BYTES } from '../domain/files/import-file.js';
import { assertMigrates } from '../domain/import-plan.js';
import { ImportFileOutput } from '../output/import-file.output.js';

const UPLOAD = { field: 'file', most: MAX_UPLOAD_BYTES } as const;

@ApiTags('migrations')
@ApiErrors('control_plane_only', 'insufficient_role', 'plan_limit_reached')
@UseGuards(new PlanGuard(assertMigrates))
@Controller('v1/migrations/files')
export class ImportFilesController {
  constructor(private readonly files: ImportFiles) {}

  @Post()
  @RouteConfig(TAKES_UPLOADS)
  @Requires({ roles: ['owner', 'admin'], isWriting: true })
  @ApiOperation({
    summary: 'Upload a file of contacts',
    description:
      'CSV with a header row, a JSON array, or NDJSON, up to 209,715,200 bytes. Format, encoding and separator ' +
      'are detected. Stored until 7 days after the last migration that uses it.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary' } },
    },
  })
  @ApiCreatedResponse({ type: ImportFileOutput })
  @ApiErrors(
    'validation_error',
    'invalid_field',
    'conflict',
    'payload_too_large',
    'rate_limit_exceeded',
    'work_too_costly',
    'workspace_suspended',
  )
  async upload(@CurrentPrincipal() principal: Principal, @Req() request: FastifyRequest): Promise<object> {
    const createdBy = actorOf(principal);
    const file = await receiveUpload(request, UPLOAD, ({ name, bytes }) =>
      this.files.receive(scopeOf(principal), { name, createdBy }, bytes),
    );
    return restOf(ImportFileOutput, file);
  }
}
