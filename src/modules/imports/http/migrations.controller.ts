/** REST endpoints for migrations, section 4.9: jobs that import contacts, for owners and admins of paid plans. */
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  StreamableFile,
  UseGuards,
} from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { scopeOf, type Author, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { PlanGuard } from '../../access/plan.guard.js';
import { Requires } from '../../access/requires.decorator.js';
import { ImportResults } from '../application/import-results.js';
import { ImportsService } from '../application/imports.service.js';
import { MAX_STORED_ERRORS, DEFAULT_ERRORS_LIMIT } from '../domain/import-bounds.js';
import { assertMigrates } from '../domain/import-plan.js';
import {
  CancelMigrationInput,
  importRequestOf,
  MigrationErrorsQuery,
  MigrationListQuery,
  resumeCredentialsOf,
  ResumeMigrationInput,
  StartMigrationInput,
} from '../input/migration.input.js';
import {
  MigrationErrorListOutput,
  MigrationListOutput,
  migrationInRest,
  MigrationOutput,
} from '../output/migration.output.js';

const CSV = 'text/csv; charset=utf-8';
const EXAMPLE = `row,external_id,code,detail
7,u7,invalid_email,email must be an email address
`;

@ApiTags('migrations')
@ApiErrors('control_plane_only', 'insufficient_role', 'plan_limit_reached')
@UseGuards(new PlanGuard(assertMigrates))
@Controller('v1/migrations')
export class MigrationsController {
  constructor(
    private readonly imports: ImportsService,
    private readonly results: ImportResults,
  ) {}

  @Post()
  @Requires({ roles: ['owner', 'admin'], isWriting: true })
  @ApiOperation({
    summary: 'Import contacts from another platform or a file',
    description:
      'Returns once the job is stored. One job per workspace runs at a time; others wait. Credentials are ' +
      'encrypted and deleted when the job ends.',
  })
  @ApiCreatedResponse({ type: MigrationOutput })
  @ApiErrors(
    'validation_error',
    'invalid_field',
    'file_not_found',
    'rate_limit_exceeded',
    'workspace_suspended',
  )
  async start(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Body() input: StartMigrationInput,
  ): Promise<object> {
    const request = importRequestOf(input);
    return restOf(
      MigrationOutput,
      migrationInRest(await this.imports.request(scopeOf(principal), principal.plan, request, author)),
    );
  }

  @Get()
  @Requires({ roles: ['owner', 'admin'] })
  @ApiOperation({ summary: 'List migrations of the environment, newest first' })
  @ApiOkResponse({ type: MigrationListOutput })
  @ApiErrors('invalid_field')
  async list(@CurrentPrincipal() principal: Principal, @Query() page: MigrationListQuery): Promise<object> {
    const { limit, offset } = page;
    const { jobs, total } = await this.imports.list(scopeOf(principal), page);
    return restOf(MigrationListOutput, { migrations: jobs.map(migrationInRest), total, limit, offset });
  }

  @Get(':id')
  @Requires({ roles: ['owner', 'admin'] })
  @ApiOperation({ summary: 'Retrieve a migration and its progress' })
  @ApiOkResponse({ type: MigrationOutput })
  @ApiErrors('migration_not_found')
  async one(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(MigrationOutput, migrationInRest(await this.imports.get(scopeOf(principal), id)));
  }

  @Post(':id/resume')
  @HttpCode(200)
  @Requires({ roles: ['owner', 'admin'], isWriting: true })
  @ApiOperation({ summary: 'Resume a failed migration from its last checkpoint' })
  @ApiOkResponse({ type: MigrationOutput })
  @ApiErrors(
    'validation_error',
    'invalid_field',
    'invalid_status',
    'migration_not_found',
    'file_not_found',
    'rate_limit_exceeded',
    'workspace_suspended',
  )
  async resume(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Param('id') id: string,
    @Body() input: ResumeMigrationInput,
  ): Promise<object> {
    const [scope, given] = [scopeOf(principal), resumeCredentialsOf(input)];
    return restOf(
      MigrationOutput,
      migrationInRest(await this.imports.resume(scope, principal.plan, id, given, author)),
    );
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Requires({ roles: ['owner', 'admin'], isWriting: true })
  @ApiOperation({ summary: 'Cancel a waiting or running migration; contacts already imported are kept' })
  @ApiOkResponse({ type: MigrationOutput })
  @ApiErrors('invalid_field', 'invalid_status', 'migration_not_found', 'workspace_suspended')
  async cancel(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Param('id') id: string,
    @Body() _input: CancelMigrationInput,
  ): Promise<object> {
    return restOf(
      MigrationOutput,
      migrationInRest(await this.imports.cancel(scopeOf(principal), id, author)),
    );
  }

  @Get(':id/errors')
  @Requires({ roles: ['owner', 'admin'] })
  @ApiOperation({
    summary: 'List the record errors of a migration, in record order',
    description:
      'Only the first 10,000 are stored. In CSV, text that a spreadsheet would interpret as a formula ' +
      '(starting with = + - @, tab or carriage return) is prefixed with an apostrophe.',
  })
  @ApiExtraModels(MigrationErrorListOutput)
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(MigrationErrorListOutput) } },
      [CSV]: { schema: { type: 'string' }, example: EXAMPLE },
    },
  })
  @ApiErrors('invalid_field', 'migration_not_found')
  async errors(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() { format, limit, offset }: MigrationErrorsQuery,
  ): Promise<object> {
    const scope = scopeOf(principal);
    if (format === 'json') {
      const page = { limit: limit ?? DEFAULT_ERRORS_LIMIT, offset };
      const found = await this.results.errors(scope, id, { limit: page.limit, after: offset });
      return restOf(MigrationErrorListOutput, { ...found, ...page });
    }
    const file = await this.results.errorsFile(scope, id, {
      limit: limit ?? MAX_STORED_ERRORS,
      after: offset,
    });
    return new StreamableFile(Buffer.from(file), {
      type: CSV,
      disposition: `attachment; filename="migration-errors.csv"`,
    });
  }
}
