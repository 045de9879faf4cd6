/**
 * What other modules keep about a person, for its erasure: each removes what is in its own rows. They stand above
 * contacts, so each is a keeper, and processes/bindings.module hands over all of them.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

/** Whose data is erased. */
export interface ErasedPerson {
  readonly contactId: string;
  readonly externalId: string;
  /** The address of the record as it is now; null where it has none. */
  readonly email: string | null;
  /** Takes the place of the identifier in rows that stay, so that counts do. */
  readonly pseudonym: string;
}

/** Keeps one kind of rows about persons. */
export abstract class PersonalDataKeeper {
  /** What its rows are, such as `events`: their number is told under it. */
  abstract readonly rows: string;

  /**
   * Removes what its rows say about the person, in the erasure's transaction. Called before the contact's row is locked,
   * so that it may wait for whoever works on the person's rows.
   * @returns how many rows held something of the person.
   * @throws DomainError conflict when that must be tried again later.
   */
  abstract erase(tx: Transaction, scope: TenantScope, person: ErasedPerson): Promise<number>;
}

/** All that the modules keep about persons. */
export class PersonalData {
  /**
   * @param keepers each erases rows of its own, in this order.
   * @throws TypeError when two of them would tell their numbers under one name.
   */
  constructor(private readonly keepers: readonly PersonalDataKeeper[]) {
    const names = keepers.map(({ rows }) => rows);
    const twice = names.find((name, place) => names.indexOf(name) !== place);
    if (twice !== undefined)
      throw new TypeError(`Two sources of personal data use the same name for their rows: ${twice}.`);
  }

  /** How many rows held something of the person, by what they are. */
  async erase(
    tx: Transaction,
    scope: TenantScope,
    person: ErasedPerson,
  ): Promise<ReadonlyMap<string, number>> {
    const erased = new Map<string, number>();
    for (const keeper of this.keepers) erased.set(keeper.rows, await keeper.erase(tx, scope, person));
    return erased;
  }
}
