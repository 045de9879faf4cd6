/**
 * Erases a person from migrations: the errors of the person's records, and a dry run's results for them. Files are
 * removed when they expire.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PersonalDataEraser, type ErasedPerson } from '../../contacts/application/personal-data.port.js';
import { ImportResultsRepository } from '../persistence/import-results.repository.js';

@Injectable()
export class ImportErasure extends PersonalDataEraser {
  readonly rows = 'migration_errors';

  constructor(private readonly results: ImportResultsRepository) {
    super();
  }

  override erase(tx: Transaction, scope: TenantScope, person: ErasedPerson): Promise<number> {
    return this.results.pseudonymize(tx, scope, person);
  }
}
