/**
 * Writes what was read from a source in one transaction: contacts, through the same merge as a bulk request,
 * opt-outs, suppressions, errors, counters, and the checkpoint. After a kill, a batch is either written and counted,
 * or neither. A dry run does the same and rolls back everything but its counts.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, isTransient, type Transaction } from '../../../platform/database/database.js';
import { MAX_STORED_ERRORS, MAX_STORED_ROWS } from '../domain/import-bounds.js';
import type { RowError } from '../domain/import-error.js';
import { failedRow, type RowResult } from '../domain/import-row.js';
import {
  advanceProgress,
  type Checkpoint,
  type ClaimedImport,
  type ImportState,
} from '../domain/checkpoint.js';
import { rowError, type MappedContact } from '../domain/mapping.js';
import type { PageBatch } from '../domain/page-batch.js';
import type { ReadBatch } from '../domain/read-batch.js';
import { ImportResultsRepository } from '../persistence/import-results.repository.js';
import { ImportWorkRepository } from '../persistence/import-work.repository.js';
import { ContactImport, type ImportedBatch } from './contact-import.js';

/** Another process has claimed the job, or it was cancelled, or it is gone. */
export class LeaseLostError extends Error {
  constructor() {
    super('The migration is no longer claimed by this process.');
  }
}

@Injectable()
export class ImportWriter {
  constructor(
    private readonly database: Database,
    private readonly work: ImportWorkRepository,
    private readonly results: ImportResultsRepository,
    private readonly contacts: ContactImport,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes a batch.
   * @param read the batch's records as they are to be imported.
   * @param startedAt when the work that counts as the job's began, on the process's own clock.
   * @returns the job's state afterwards.
   * @throws LeaseLostError, if nothing was written.
   */
  async write(
    scope: TenantScope,
    job: ClaimedImport,
    batch: PageBatch,
    read: ReadBatch,
    startedAt: number,
  ): Promise<ClaimedImport> {
    try {
      return await this.attempt(scope, job, batch, read, startedAt, false);
    } catch (error) {
      if (error instanceof LeaseLostError || isTransient(error)) throw error;
      return this.attempt(scope, job, batch, read, startedAt, true);
    }
  }

  private async attempt(
    scope: TenantScope,
    job: ClaimedImport,
    batch: PageBatch,
    read: ReadBatch,
    startedAt: number,
    isIsolating: boolean,
  ): Promise<ClaimedImport> {
    return this.database.inScope(scope, async (tx) => {
      if (!(await this.work.lock(tx, scope, job))) throw new LeaseLostError();
      const result = isIsolating
        ? await this.applyIsolated(tx, scope, job, read)
        : await this.contacts.apply(tx, scope, job, read);
      const failed = inOrder([...read.errors, ...result.errors]);
      const before = job.standing;
      const errors = failed.slice(0, Math.max(0, MAX_STORED_ERRORS - before.errorsKept));
      await this.results.addErrors(tx, scope, job.id, errors, before.errorsKept);
      const rows = job.dryRun ? rowsToStore(before, result.rows, failed, read) : [];
      await this.results.addRows(tx, scope, job.id, rows, before.rowsKept);
      const storedCounts = { errors: errors.length, rows: rows.length };
      const state = stateAfter(
        before,
        result,
        { errors: failed.length, mistyped: read.mistyped },
        storedCounts,
        batch,
      );
      const checkpoint: Checkpoint = {
        at: batch.next,
        isRead: batch.next === null,
        came: job.checkpoint.came + result.came,
        hasSuppressions: job.checkpoint.hasSuppressions || read.suppressions.length > 0,
        account: job.checkpoint.account,
      };
      const workedMs = performance.now() - startedAt;
      await this.work.store(tx, scope, job, { checkpoint, standing: state, workedMs }, this.clock.now());
      return { ...job, checkpoint, standing: state };
    });
  }

  /**
   * Splits a batch that cannot be written in halves until the failing record is alone. That record becomes an error;
   * all others are written.
   */
  private async applyIsolated(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    read: ReadBatch,
  ): Promise<ImportedBatch> {
    try {
      return await tx.inSavepoint(() => this.contacts.apply(tx, scope, job, read));
    } catch (error) {
      if (isTransient(error)) throw error;
      const [only] = read.contacts;
      if (read.contacts.length + read.rejectedOptOuts.length + read.suppressions.length <= 1)
        return only ? this.withoutContact(tx, scope, job, only) : EMPTY_RESULT;
      const [one, other] = halvesOf(read);
      const first = await this.applyIsolated(tx, scope, job, one);
      const came = job.checkpoint.came + first.came;
      const then = { ...job, checkpoint: { ...job.checkpoint, came } };
      return joined(first, await this.applyIsolated(tx, scope, then, other));
    }
  }

  /** The error of a contact that cannot be stored. Its opt-out is stored if that is possible without the contact. */
  private async withoutContact(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    { row, externalId, email, optOut }: MappedContact,
  ): Promise<ImportedBatch> {
    const rejectedOptOuts = optOut === null ? [] : [{ externalId, email, optOut }];
    const result = await this.applyIsolated(tx, scope, job, { ...EMPTY_BATCH, rejectedOptOuts });
    return { ...result, errors: [rowError(row, externalId, NOT_STORED_ERROR)] };
  }
}

const NOT_STORED_ERROR = { code: 'internal_error', detail: 'The record could not be stored.' };

const EMPTY_BATCH: ReadBatch = {
  contacts: [],
  errors: [],
  rejectedOptOuts: [],
  suppressions: [],
  mistyped: 0,
};

const EMPTY_RESULT: ImportedBatch = {
  imported: 0,
  created: 0,
  updated: 0,
  unsubscribed: 0,
  suppressed: 0,
  came: 0,
  errors: [],
  rows: [],
};

/** Splits a batch of at least two parts into two smaller ones. */
function halvesOf({ contacts, rejectedOptOuts, suppressions }: ReadBatch): readonly [ReadBatch, ReadBatch] {
  const half = Math.ceil((contacts.length + rejectedOptOuts.length + suppressions.length) / 2);
  const [few, rest] = [half - contacts.length, half - contacts.length - rejectedOptOuts.length];
  const part = <Item>(items: readonly Item[], count: number): [readonly Item[], readonly Item[]] => [
    items.slice(0, Math.max(0, count)),
    items.slice(Math.max(0, count)),
  ];
  const [people, others] = part(contacts, half);
  const [some, more] = part(rejectedOptOuts, few);
  const [addresses, further] = part(suppressions, rest);
  return [
    { ...EMPTY_BATCH, contacts: people, rejectedOptOuts: some, suppressions: addresses },
    { ...EMPTY_BATCH, contacts: others, rejectedOptOuts: more, suppressions: further },
  ];
}

function joined(one: ImportedBatch, other: ImportedBatch): ImportedBatch {
  return {
    imported: one.imported + other.imported,
    created: one.created + other.created,
    updated: one.updated + other.updated,
    unsubscribed: one.unsubscribed + other.unsubscribed,
    suppressed: one.suppressed + other.suppressed,
    came: one.came + other.came,
    errors: [...one.errors, ...other.errors],
    rows: [...one.rows, ...other.rows],
  };
}

function inOrder<Row extends { readonly row: number }>(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => a.row - b.row);
}

function rowsToStore(
  { rowsKept }: ImportState,
  imported: readonly RowResult[],
  failed: readonly RowError[],
  { contacts, rejectedOptOuts }: ReadBatch,
): readonly RowResult[] {
  const room = MAX_STORED_ROWS - rowsKept;
  if (room <= 0) return [];
  const optedOut = new Set(
    [...rejectedOptOuts, ...contacts].flatMap((one) => (one.optOut ? one.externalId : [])),
  );
  return inOrder([...imported, ...failed.map((error) => failedRow(error, optedOut))]).slice(0, room);
}

function stateAfter(
  before: ImportState,
  done: ImportedBatch,
  { errors, mistyped }: { readonly errors: number; readonly mistyped: number },
  storedCounts: { readonly errors: number; readonly rows: number },
  extent: Pick<PageBatch, 'total' | 'share'>,
): ImportState {
  const imported = before.imported + done.imported;
  const failed = before.failed + errors;
  return {
    imported,
    failed,
    ...advanceProgress(before, imported + failed, extent),
    createdContacts: before.createdContacts + done.created,
    updatedContacts: before.updatedContacts + done.updated,
    unsubscribed: before.unsubscribed + done.unsubscribed,
    suppressed: before.suppressed + done.suppressed,
    mistyped: before.mistyped + mistyped,
    errorsKept: before.errorsKept + storedCounts.errors,
    rowsKept: before.rowsKept + storedCounts.rows,
  };
}
