/** GraphQL queries and mutations for migrations. They call the same methods as REST. */
import { UseGuards } from '@nestjs/common';
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { sliceOf } from '../../../kernel/page-cursor.js';
import { scopeOf, type Author, type Principal } from '../../../kernel/principal.js';
import {
  connectionOf,
  type Connection,
  type CountedConnection,
  type Edge,
} from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { PlanGuard } from '../../access/plan.guard.js';
import { Requires } from '../../access/requires.decorator.js';
import { ImportFiles } from '../application/import-files.js';
import { ImportResults } from '../application/import-results.js';
import { ImportsService } from '../application/imports.service.js';
import {
  errorCursor,
  parseImportErrorCursor,
  jobCursor,
  parseImportJobCursor,
  rowCursor,
  parseImportRowCursor,
} from '../domain/import-cursors.js';
import { assertMigrates } from '../domain/import-plan.js';
import {
  importRequestOf,
  MigrationResultsArgs,
  resumeCredentialsOf,
  ResumeMigrationInput,
  StartMigrationInput,
} from '../input/migration.input.js';
import { ImportFileOutput } from '../output/import-file.output.js';
import {
  MigrationConnection,
  MigrationErrorConnection,
  type MigrationErrorOutput,
  MigrationFindingOutput,
  migrationOutput,
  MigrationOutput,
  MigrationRowConnection,
  type MigrationRowOutput,
} from '../output/migration.output.js';

@UseGuards(new PlanGuard(assertMigrates))
@Resolver()
export class MigrationsResolver {
  constructor(
    private readonly imports: ImportsService,
    private readonly results: ImportResults,
    private readonly files: ImportFiles,
  ) {}

  @Query(() => MigrationOutput, {
    complexity: COST.record,
    description: 'Retrieves a migration. Returns migration_not_found if it does not exist.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async migration(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<MigrationOutput> {
    return migrationOutput(await this.imports.get(scopeOf(principal), id));
  }

  @Query(() => MigrationConnection, {
    complexity: COST.list,
    description: 'Migrations of the environment, newest first.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async migrations(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PageArgs,
  ): Promise<Connection<Edge<MigrationOutput>>> {
    const page = { first: args.first, after: parseImportJobCursor(args.after) };
    const found = await this.imports.page(scopeOf(principal), page);
    return connectionOf(found, args, (job) => ({ cursor: jobCursor(job), node: migrationOutput(job) }));
  }

  @Query(() => MigrationErrorConnection, {
    complexity: COST.list,
    description: 'Record errors of a migration, in record order.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async migrationErrors(
    @CurrentPrincipal() principal: Principal,
    @Args() args: MigrationResultsArgs,
  ): Promise<CountedConnection<MigrationErrorOutput>> {
    const { migrationId, first, after } = args;
    const page = { limit: first + 1, after: parseImportErrorCursor(after) };
    const { errors, total } = await this.results.errors(scopeOf(principal), migrationId, page);
    const listed = connectionOf(sliceOf(errors, first), args, (error) => ({
      cursor: errorCursor(error),
      node: error,
    }));
    return { ...listed, totalCount: total };
  }

  @Query(() => MigrationRowConnection, {
    complexity: COST.list,
    description: 'What a dry run would do with each record, in order. Empty for other migrations.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async migrationRows(
    @CurrentPrincipal() principal: Principal,
    @Args() args: MigrationResultsArgs,
  ): Promise<CountedConnection<MigrationRowOutput>> {
    const { migrationId, first, after } = args;
    const page = { limit: first + 1, after: parseImportRowCursor(after) };
    const { rows, total } = await this.results.rows(scopeOf(principal), migrationId, page);
    const listed = connectionOf(sliceOf(rows, first), args, (row) => ({
      cursor: rowCursor(row),
      node: row,
    }));
    return { ...listed, totalCount: total };
  }

  @Query(() => [MigrationFindingOutput], {
    complexity: COST.list,
    description:
      'What the source platform holds besides contacts and is not migrated, by name; at most 1,000.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async migrationFindings(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<readonly MigrationFindingOutput[]> {
    return this.results.assets(scopeOf(principal), id);
  }

  @Query(() => ImportFileOutput, {
    complexity: COST.record,
    description: 'Retrieves an uploaded file. Returns file_not_found if it does not exist.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async migrationFile(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<ImportFileOutput> {
    return this.files.find(scopeOf(principal), id);
  }

  @Mutation(() => MigrationOutput, {
    complexity: COST.change,
    description: 'Starts importing contacts from another platform or a file.',
  })
  @Requires({ roles: ['owner', 'admin'], isWriting: true })
  async startMigration(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('input') input: StartMigrationInput,
  ): Promise<MigrationOutput> {
    const request = importRequestOf(input);
    return migrationOutput(await this.imports.request(scopeOf(principal), principal.plan, request, author));
  }

  @Mutation(() => MigrationOutput, {
    complexity: COST.change,
    description: 'Resumes a failed migration from its last checkpoint.',
  })
  @Requires({ roles: ['owner', 'admin'], isWriting: true })
  async resumeMigration(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('id', { type: () => ID }) id: string,
    @Args('input', { defaultValue: {} }) input: ResumeMigrationInput,
  ): Promise<MigrationOutput> {
    const [scope, given] = [scopeOf(principal), resumeCredentialsOf(input)];
    return migrationOutput(await this.imports.resume(scope, principal.plan, id, given, author));
  }

  @Mutation(() => MigrationOutput, {
    complexity: COST.change,
    description: 'Cancels a waiting or running migration. Contacts already imported are kept.',
  })
  @Requires({ roles: ['owner', 'admin'], isWriting: true })
  async cancelMigration(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<MigrationOutput> {
    return migrationOutput(await this.imports.cancel(scopeOf(principal), id, author));
  }
}
