/**
 * Erases the data about a person in other modules: each removes it from its own rows. These modules are above
 * contacts, so each implements a keeper, and processes/bindings.module supplies them all.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

/** The person whose data is erased. */
export interface ErasedPerson {
  readonly contactId: string;
  readonly externalId: string;
  /** The current address of the record; null if it has none. */
  readonly email: string | null;
  /** Replaces the identifier in rows that stay for the counts. */
  readonly pseudonym: string;
}

/** Erases personal data in one kind of rows. */
export abstract class PersonalDataEraser {
  /** Kind of the rows, such as `events`; their number is reported under it. */
  abstract readonly rows: string;

  /**
   * Removes the data about the person from its rows, in the transaction of the erasure. It is called before the
   * contact's row is locked, so it may wait for transactions that use the person's rows.
   * @returns how many rows had data about the person.
   * @throws DomainError conflict if the caller must retry later.
   */
  abstract erase(tx: Transaction, scope: TenantScope, person: ErasedPerson): Promise<number>;
}

/** All keepers of personal data. */
export class PersonalData {
  /**
   * @param erasers each erases its own rows, in this order.
   * @throws TypeError if two of them report under the same name.
   */
  constructor(private readonly erasers: readonly PersonalDataEraser[]) {
    const names = erasers.map(({ rows }) => rows);
    const duplicate = names.find((name, index) => names.indexOf(name) !== index);
    if (duplicate !== undefined)
      throw new TypeError(`Two sources of personal data use the same name for their rows: ${duplicate}.`);
  }

  /** How many rows had data about the person, by kind. */
  async erase(
    tx: Transaction,
    scope: TenantScope,
    person: ErasedPerson,
  ): Promise<ReadonlyMap<string, number>> {
    const erased = new Map<string, number>();
    for (const eraser of this.erasers) erased.set(eraser.rows, await eraser.erase(tx, scope, person));
    return erased;
  }
}
