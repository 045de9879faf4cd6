/**
 * What other modules keep about a person, for its erasure: each removes what is in its own rows. A port, since they
 * stand above contacts; joined in processes/bindings.module.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

/** Whose data is erased. */
export interface ErasedPerson {
  readonly contactId: string;
  readonly externalId: string;
  /** Takes the place of the identifier in rows that stay, so that counts do. */
  readonly pseudonym: string;
}

/** How many rows held something of the person. */
export interface ErasedRows {
  readonly events: number;
  readonly emails: number;
  /** Memberships in segments, present and past. */
  readonly segments: number;
}

export abstract class PersonalData {
  /**
   * Removes what the rows of a module say about the person, in the erasure's transaction. Called before the contact's
   * row is locked, so that it may wait for whoever works on the person's rows.
   * @throws DomainError conflict when that must be tried again later.
   */
  abstract erase(tx: Transaction, scope: TenantScope, person: ErasedPerson): Promise<Partial<ErasedRows>>;
}
