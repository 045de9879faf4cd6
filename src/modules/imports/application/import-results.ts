/**
 * The results of a job other than contacts: errors of records, the results of a dry run, and other assets of its
 * platform.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { errorsFile, type ImportError } from '../domain/import-error.js';
import type { SourceAsset } from '../domain/source-record.js';
import type { ImportRow } from '../domain/import-row.js';
import { ImportResultsRepository } from '../persistence/import-results.repository.js';
import { ImportsService } from './imports.service.js';

/** A page of a job's errors or rows: an offset and a number. */
export interface ResultsPage {
  readonly limit: number;
  readonly after: number;
}

@Injectable()
export class ImportResults {
  constructor(
    private readonly database: Database,
    private readonly imports: ImportsService,
    private readonly results: ImportResultsRepository,
  ) {}

  /**
   * The job's errors after an offset, in the order of its records, and how many are stored.
   * @throws DomainError migration_not_found.
   */
  async errors(
    scope: TenantScope,
    id: string,
    page: ResultsPage,
  ): Promise<{ readonly errors: readonly ImportError[]; readonly total: number }> {
    return this.database.listInScope(scope, async (tx) => {
      const job = await this.imports.found(tx, scope, id);
      return {
        errors: await this.results.errors(tx, scope, job.id, page),
        total: await this.results.countErrors(tx, scope, job.id),
      };
    });
  }

  /** As `errors`, as CSV. */
  async errorsFile(scope: TenantScope, id: string, page: ResultsPage): Promise<string> {
    return errorsFile((await this.errors(scope, id, page)).errors);
  }

  /**
   * What a dry run would do with each of its records, in order, and how many results are stored; none for other jobs.
   * @throws DomainError migration_not_found.
   */
  async rows(
    scope: TenantScope,
    id: string,
    page: ResultsPage,
  ): Promise<{ readonly rows: readonly ImportRow[]; readonly total: number }> {
    return this.database.listInScope(scope, async (tx) => {
      const job = await this.imports.found(tx, scope, id);
      return {
        rows: await this.results.rows(tx, scope, job.id, page),
        total: await this.results.countRows(tx, scope, job.id),
      };
    });
  }

  /**
   * The platform's other assets, by name.
   * @throws DomainError migration_not_found.
   */
  async assets(scope: TenantScope, id: string): Promise<readonly SourceAsset[]> {
    return this.database.listInScope(scope, async (tx) => {
      const job = await this.imports.found(tx, scope, id);
      return this.results.assets(tx, scope, job.id);
    });
  }
}
