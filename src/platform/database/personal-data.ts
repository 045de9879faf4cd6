/**
 * Erases the data about a person. Each module lists in `persistence/personal-data.ts` what an erasure does to its
 * tables, `processes/personal-data.ts` puts the lists in order, and this class carries them out.
 */
import { DomainError } from '../../kernel/domain-error.js';
import type { TenantScope } from '../../kernel/tenant-scope.js';
import type { Transaction } from './database.js';

/** The person whose data is erased, in the scope of the erasure. */
export interface ErasedPerson extends TenantScope {
  readonly contactId: string;
  readonly externalId: string;
  /** The current address of the record; null if it has none. */
  readonly email: string | null;
  /** Replaces the identifier in rows that stay for the counts. */
  readonly pseudonym: string;
  readonly now: Date;
  /** The keyed digest that replaces an address which must be recognised later; undefined if it is not an address. */
  digestOf(tx: Transaction, address: string): Promise<Buffer | undefined>;
}

interface ErasedRows {
  readonly tables: readonly string[];
  /** Reports the number of rows under this name, such as `events`. Numbers of the same name are added. */
  readonly kind?: string;
}

/** One statement. */
interface ErasureStatement extends ErasedRows {
  readonly sql: string;
  /** The parameters of the statement. By default the workspace, the environment and the contact. */
  readonly values?: (person: ErasedPerson) => readonly unknown[];
  /** Rejects the erasure with this message if the statement finds a row. */
  readonly conflict?: string;
}

/** What one statement cannot do. */
interface ErasureRoutine extends ErasedRows {
  /** @returns how many rows had data about the person. */
  readonly erase: (tx: Transaction, person: ErasedPerson) => Promise<number>;
}

export type PersonalDataErasure = ErasureStatement | ErasureRoutine;

export class PersonalData {
  constructor(private readonly erasures: readonly PersonalDataErasure[]) {}

  /**
   * Erases the data about the person in all tables, in their order. Call it before the contact's row is locked: it may
   * wait for transactions that use the person's rows.
   * @returns how many rows had data about the person, by kind.
   * @throws DomainError conflict if the caller must retry later.
   */
  async erase(tx: Transaction, person: ErasedPerson): Promise<ReadonlyMap<string, number>> {
    const erased = new Map<string, number>();
    for (const erasure of this.erasures) {
      const rows = 'erase' in erasure ? await erasure.erase(tx, person) : await execute(tx, erasure, person);
      if (erasure.kind !== undefined) erased.set(erasure.kind, (erased.get(erasure.kind) ?? 0) + rows);
    }
    return erased;
  }
}

async function execute(
  tx: Transaction,
  { sql, values = contactOf, conflict }: ErasureStatement,
  person: ErasedPerson,
): Promise<number> {
  const rows = await tx.execute(sql, values(person));
  if (conflict !== undefined && rows > 0) throw new DomainError('conflict', conflict);
  return rows;
}

function contactOf({ workspaceId, environment, contactId }: ErasedPerson): readonly unknown[] {
  return [workspaceId, environment, contactId];
}
