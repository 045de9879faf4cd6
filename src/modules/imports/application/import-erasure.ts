/** What migrations keep of a person, for its erasure: what was wrong with the person's records. Files go when their time is over. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PersonalDataKeeper, type ErasedPerson } from '../../contacts/application/personal-data.port.js';
import { ImportErrorRepository } from '../persistence/import-error.repository.js';

@Injectable()
export class ImportErasure extends PersonalDataKeeper {
  readonly rows = 'migration_errors';

  constructor(private readonly errors: ImportErrorRepository) {
    super();
  }

  override erase(tx: Transaction, scope: TenantScope, person: ErasedPerson): Promise<number> {
    return this.errors.forget(tx, scope, person);
  }
}
