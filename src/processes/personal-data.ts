/** All that the modules keep about a person, as one. */
import type { TenantScope } from '../kernel/tenant-scope.js';
import {
  PersonalData,
  type ErasedPerson,
  type ErasedRows,
} from '../modules/contacts/application/personal-data.port.js';
import type { Transaction } from '../platform/database/database.js';

export class PersonalDataOfAll extends PersonalData {
  /** @param keepers each erases rows of its own, in this order. */
  constructor(private readonly keepers: readonly PersonalData[]) {
    super();
  }

  override async erase(
    tx: Transaction,
    scope: TenantScope,
    person: ErasedPerson,
  ): Promise<Partial<ErasedRows>> {
    let erased: Partial<ErasedRows> = {};
    for (const keeper of this.keepers) erased = { ...erased, ...(await keeper.erase(tx, scope, person)) };
    return erased;
  }
}
