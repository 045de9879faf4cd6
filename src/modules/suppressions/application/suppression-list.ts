/** Reads, searches and edits the list of suppressed addresses, on behalf of people. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { AddressDigests } from '../../contacts/application/address-digests.js';
import {
  readSuppressionFile,
  SUPPRESSION_HEADER,
  suppressionLines,
  type SuppressionFileOptions,
} from '../domain/suppression-file.js';
import { addressKey, type Suppression, type SuppressionReason } from '../domain/suppression.js';
import { SuppressionRepository } from '../persistence/suppression.repository.js';
import { Suppressions } from './suppressions.js';

/** Rows per transaction of an import, and per page of an export. */
const CHUNK_ROWS = 1_000;
/** Maximum number of rows in an imported file. */
const MAX_ROWS = 100_000;

export interface SuppressionListFilter {
  readonly reason?: SuppressionReason | undefined;
  /** An exact address, in any spelling. */
  readonly email?: string | undefined;
  /** Whether to include removed entries. */
  readonly includesRemoved?: boolean | undefined;
}

export interface ImportedSuppressions {
  readonly total: number;
  readonly added: number;
  readonly unchanged: number;
  /** Number of rejected lines: they have no address, no known reason, or a reason that does not stop mail. */
  readonly refused: number;
  /** The first of these errors, by line number in the file. */
  readonly errors: readonly { readonly line: number; readonly message: string }[];
}

@Injectable()
export class SuppressionList {
  constructor(
    private readonly database: Database,
    private readonly suppressions: Suppressions,
    private readonly rows: SuppressionRepository,
    private readonly digests: AddressDigests,
    private readonly clock: Clock,
  ) {}

  /** A page of the list, latest first. */
  async list(
    scope: TenantScope,
    { reason, email, includesRemoved }: SuppressionListFilter,
    { first, after }: PageRequest,
  ): Promise<Slice<Suppression>> {
    const address = email === undefined ? undefined : addressKey(email);
    if (email !== undefined && address === undefined) return sliceOf([], first);
    const filter = {
      reason,
      includesRemoved,
      ...(address === undefined
        ? {}
        : { addresses: [address], digests: this.digests.toFind(scope, address) }),
    };
    const before = after ? { since: after.key, id: after.id } : undefined;
    const found = await this.database.listInScope(scope, (tx) =>
      this.rows.list(tx, scope, filter, { limit: first + 1, before }),
    );
    return sliceOf(found, first);
  }

  /** Adds an address manually; an existing entry does not change. */
  async add(
    scope: TenantScope,
    { email, note, by }: { readonly email: string; readonly note: string | null; readonly by: string },
  ): Promise<Suppression> {
    const since = this.clock.now();
    return this.database.inScope(scope, async (tx) => {
      const item = { email, reason: 'manual', since, by, note, emailLogId: null, contactId: null } as const;
      await this.suppressions.add(tx, scope, [item]);
      const stored = await this.rows.findAddress(tx, scope, addressKey(email) ?? '');
      if (!stored) throw new TypeError('An address that was added to the list is not on it.');
      return stored;
    });
  }

  /**
   * Removes an address from the list, regardless of its reason; a later bounce adds it again.
   * @throws DomainError suppression_not_found.
   */
  async remove(
    scope: TenantScope,
    id: string,
    { note, by }: { readonly note: string | null; readonly by: string },
  ): Promise<Suppression> {
    const change = { by, note, at: this.clock.now() };
    const removed = await this.database.inScope(scope, async (tx) => {
      if (!isUuid(id)) return undefined;
      const row = await this.rows.remove(tx, scope, id, change);
      if (row && row.address !== null)
        await this.rows.removeDigests(tx, scope, this.digests.toFind(scope, row.address), change);
      return row;
    });
    if (!removed) throw new DomainError('suppression_not_found', 'No such suppression is on the list.');
    return removed;
  }

  /**
   * Adds the addresses of a file, a thousand per transaction: if a later part fails, the former ones stay, and
   * repeating the import changes nothing.
   * @throws DomainError invalid_field for a file without a column of addresses, or of more than MAX_ROWS rows.
   */
  async import(
    scope: TenantScope,
    file: string,
    { by, ...options }: Omit<SuppressionFileOptions, 'most'> & { readonly by: string },
  ): Promise<ImportedSuppressions> {
    const { rows, refused, errors } = readSuppressionFile(file, { most: MAX_ROWS, ...options });
    const now = this.clock.now();
    let added = 0;
    for (let first = 0; first < rows.length; first += CHUNK_ROWS) {
      const chunk = rows.slice(first, first + CHUNK_ROWS).map(({ email, reason, since, note }) => ({
        email,
        reason,
        since: since && since < now ? since : now,
        note,
        by,
        emailLogId: null,
        contactId: null,
      }));
      added += await this.database.inScope(scope, (tx) => this.suppressions.add(tx, scope, chunk));
    }
    return { total: rows.length + refused, added, unchanged: rows.length - added, refused, errors };
  }

  /** The list as a CSV file, latest first, without the entries of erased people. */
  async export(scope: TenantScope): Promise<string> {
    let file = SUPPRESSION_HEADER;
    for (let before: { since: string; id: string } | undefined; ;) {
      const page = await this.database.listInScope(scope, (tx) =>
        this.rows.list(tx, scope, {}, { limit: CHUNK_ROWS, before }),
      );
      file += suppressionLines(page);
      const last = page.at(-1);
      if (!last || page.length < CHUNK_ROWS) return file;
      before = { since: last.since.toISOString(), id: last.id };
    }
  }
}
