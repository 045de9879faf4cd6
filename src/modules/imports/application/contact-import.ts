/**
 * Stores a batch's contacts and opt-outs in the caller's transaction, so that a person who has opted out is never
 * stored without the opt-out. A contact counts once per job, as created or updated, and once as unsubscribed if the
 * source reports an opt-out. Nothing ever opts anyone in.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { invalidFields } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import {
  ContactUpserts,
  type ContactUpsertResult,
  type BulkUpsertResult,
} from '../../contacts/application/contact-upserts.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { OptOuts } from '../../contacts/application/opt-outs.js';
import type { ContactChanges } from '../../contacts/domain/contact.js';
import { namesOf, namesOfAddress } from '../../contacts/domain/opt-out.js';
import { limitReached, planOf } from '../../limits/domain/plan.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import type { ClaimedImport } from '../domain/checkpoint.js';
import type { RowError } from '../domain/import-error.js';
import type { RowResult, RowOutcome } from '../domain/import-row.js';
import { rowError, type MappedContact } from '../domain/mapping.js';
import { addressesToSuppress, type AddressToSuppress } from '../domain/addresses-to-suppress.js';
import type { IdentifiedOptOut, ReadBatch, SuppressedAddress } from '../domain/read-batch.js';
import { seenKey, type SeenKind } from '../domain/seen-keys.js';
import { MAX_ADDRESS_HOLDERS } from '../domain/work-limits.js';
import { ImportSeenRepository } from '../persistence/import-seen.repository.js';

/** The result of a batch. Each of its contacts is either imported or among the errors. */
export interface ImportedBatch {
  readonly imported: number;
  readonly created: number;
  readonly updated: number;
  readonly unsubscribed: number;
  readonly suppressed: number;
  /** Contacts that newly count against the plan. */
  readonly came: number;
  readonly errors: readonly RowError[];
  /** The results for imported records; only a dry run reports them. */
  readonly rows: readonly RowResult[];
}

/** What is to be stored, and the result of storing it. */
interface PreparedBatch {
  readonly contacts: readonly MappedContact[];
  /** The external_ids of contacts that have opted out, according to the source. */
  readonly out: ReadonlySet<string>;
  readonly addresses: readonly SuppressedAddress[];
  readonly rejectedOptOuts: readonly IdentifiedOptOut[];
  readonly listed: readonly AddressToSuppress[];
}
interface StoredBatch extends BulkUpsertResult {
  readonly suppressed: number;
  /** For each record, the index of its contact's change. */
  readonly changeIndexes: readonly number[];
}

/** Carries the results of a dry run out of the savepoint that it rolls back. */
class DryRunRollback extends Error {
  constructor(readonly stored: StoredBatch) {
    super('A dry run stores nothing.');
  }
}

@Injectable()
export class ContactImport {
  constructor(
    private readonly upserts: ContactUpserts,
    private readonly knownContacts: KnownContacts,
    private readonly optOuts: OptOuts,
    private readonly suppressions: Suppressions,
    private readonly seen: ImportSeenRepository,
    private readonly clock: Clock,
  ) {}

  /** Imports a batch or, in a dry run, finds out what the import would do. */
  async apply(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    given: ReadBatch,
  ): Promise<ImportedBatch> {
    const read = { ...given, contacts: await this.withStoredIds(tx, scope, given.contacts) };
    const addresses = await this.recordUnseen(
      tx,
      scope,
      job,
      'address',
      read.suppressions,
      ({ address }) => address,
    );
    const optedOut = await this.findOptedOut(tx, scope, job, read.contacts, addresses.length > 0);
    // A dry run does not store again what an earlier batch has counted; it would appear as new again.
    const counted = job.dryRun ? await this.findCounted(tx, scope, job, read.contacts) : new Set<string>();
    const contacts = read.contacts.filter(({ externalId }) => !counted.has(externalId));
    const toSuppress = await this.recordUnseen(
      tx,
      scope,
      job,
      'listed',
      addressesToSuppress(addresses, [...read.contacts, ...read.rejectedOptOuts]),
      ({ reason, address }) => `${reason} ${address}`,
    );
    const prepared = {
      contacts,
      out: optedOut,
      addresses,
      rejectedOptOuts: read.rejectedOptOuts,
      listed: toSuppress,
    };
    const stored = job.dryRun
      ? await this.storeAndRollBack(tx, scope, job, prepared)
      : await this.store(tx, scope, job, prepared);
    const { errors, imported } = partitionRecords(job, contacts, stored);
    const importedIds = new Set([...counted, ...imported]);
    const { created, updated } = await this.countNew(tx, scope, job, stored);
    const newlyUnsubscribed = await this.recordUnseen(
      tx,
      scope,
      job,
      'out',
      [...optedOut].filter((id) => importedIds.has(id)),
      (id) => id,
    );
    return {
      imported: read.contacts.length - errors.length,
      ...{ created, updated, errors },
      ...{ unsubscribed: newlyUnsubscribed.length, suppressed: stored.suppressed, came: stored.came },
      rows: job.dryRun ? rowsOf(read.contacts, new Set(errors.map(({ row }) => row)), optedOut, stored) : [],
    };
  }

  /**
   * Contacts under the external_ids that they have here. If the source only knows an address, the contact's
   * external_id may be that address in another spelling.
   */
  private async withStoredIds(
    tx: Transaction,
    scope: TenantScope,
    contacts: readonly MappedContact[],
  ): Promise<readonly MappedContact[]> {
    const addresses = new Set(contacts.flatMap(({ isByEmail, externalId }) => (isByEmail ? externalId : [])));
    const spellings = new Map<string, string>();
    for (const id of await this.knownContacts.externalIdsWithAddress(
      tx,
      scope,
      [...addresses],
      MAX_ADDRESS_HOLDERS,
    )) {
      const address = id.toLowerCase();
      if (addresses.has(address) && spellings.get(address) !== address) spellings.set(address, id);
    }
    if (spellings.size === 0) return contacts;
    return contacts.map((contact) => {
      const externalId = contact.isByEmail ? spellings.get(contact.externalId) : undefined;
      return externalId === undefined ? contact : { ...contact, externalId };
    });
  }

  private async store(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    { contacts, out: optedOut, addresses, rejectedOptOuts, listed: toSuppress }: PreparedBatch,
  ): Promise<StoredBatch> {
    const now = this.clock.now();
    await this.optOuts.storeNames(
      tx,
      scope,
      [...addresses.flatMap(({ address }) => namesOfAddress(address)), ...rejectedOptOuts.flatMap(namesOf)],
      now,
    );
    const suppressed = await this.suppressions.add(
      tx,
      scope,
      toSuppress.map(({ email, reason }) => ({
        ...{ email, reason, since: now, by: job.createdBy, note: `Imported from ${job.platform}.` },
        ...{ emailLogId: null, contactId: null },
      })),
    );
    const { changes, changeIndexes } = changesOf(contacts);
    const holders = await this.knownContacts.externalIdsWithAddress(
      tx,
      scope,
      addresses.map(({ address }) => address),
      MAX_ADDRESS_HOLDERS,
    );
    const optedOutIds = rejectedOptOuts.map(({ externalId }) => externalId);
    const knownIds = [...holders, ...(await this.knownContacts.existingAmong(tx, scope, optedOutIds))];
    for (const id of knownIds) if (!changes.has(id)) changes.set(id, [{}]);
    const maximum = planOf(job.plan).caps.contacts - (job.dryRun ? job.checkpoint.came : 0);
    const optOuts = new Set([...optedOut, ...holders, ...optedOutIds]);
    const results = await this.upserts.applyInChunks(tx, scope, changes, { now, maximum, optOuts });
    return { ...results, suppressed, changeIndexes };
  }

  private async storeAndRollBack(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    prepared: PreparedBatch,
  ): Promise<StoredBatch> {
    try {
      return await tx.inSavepoint(async () => {
        throw new DryRunRollback(await this.store(tx, scope, job, prepared));
      });
    } catch (error) {
      if (error instanceof DryRunRollback) return error.stored;
      throw error;
    }
  }

  /** The contacts that have opted out, according to what the source reports of the person or the address. */
  private async findOptedOut(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    contacts: readonly MappedContact[],
    hasAddresses: boolean,
  ): Promise<Set<string>> {
    const optedOut = new Set(
      contacts.flatMap(({ externalId, optOut }) => (optOut === null ? [] : externalId)),
    );
    if (!hasAddresses && !job.checkpoint.hasSuppressions) return optedOut;
    const holders = new Map<string, string[]>();
    for (const { externalId, email } of contacts)
      for (const { text } of namesOfAddress(email)) {
        const key = seenKey(job.id, 'address', text);
        holders.set(key, [...(holders.get(key) ?? []), externalId]);
      }
    for (const key of await this.seen.among(tx, scope, job.id, [...holders.keys()]))
      for (const id of holders.get(key) ?? []) optedOut.add(id);
    return optedOut;
  }

  /** The external_ids of those contacts that the job has counted before. */
  private async findCounted(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    contacts: readonly MappedContact[],
  ): Promise<Set<string>> {
    const ids = new Map(contacts.map(({ externalId: id }) => [seenKey(job.id, 'counted', id), id]));
    const keys = await this.seen.among(tx, scope, job.id, [...ids.keys()]);
    return new Set([...keys].flatMap((key) => ids.get(key) ?? []));
  }

  private async countNew(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    { byExternalId: byExternalId }: StoredBatch,
  ): Promise<{ readonly created: number; readonly updated: number }> {
    const touched = [...byExternalId].filter(
      ([, { isCreated, updatedFields }]) => isCreated || updatedFields.length > 0,
    );
    const unseen = await this.recordUnseen(tx, scope, job, 'counted', touched, ([id]) => id);
    const created = unseen.filter(([, { isCreated }]) => isCreated).length;
    return { created, updated: unseen.length - created };
  }

  /** Those of the items that are new to the job. Records them as seen. */
  private async recordUnseen<Item>(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    kind: SeenKind,
    items: readonly Item[],
    nameOf: (item: Item) => string,
  ): Promise<Item[]> {
    if (items.length === 0) return [];
    const keys = items.map((item) => seenKey(job.id, kind, nameOf(item)));
    const unseen = await this.seen.insertNew(tx, scope, job.id, keys);
    return items.filter((_, index) => unseen.delete(keys[index] ?? ''));
  }
}

/** The change of each contact, and for each record the index of its contact's change. */
function changesOf(contacts: readonly MappedContact[]): {
  readonly changes: Map<string, ContactChanges[]>;
  readonly changeIndexes: readonly number[];
} {
  const changes = new Map<string, ContactChanges[]>();
  const changeIndexes = contacts.map(({ externalId, changes: own }) => {
    const earlier = changes.get(externalId);
    if (!earlier) changes.set(externalId, [own]);
    return earlier ? earlier.push(own) - 1 : 0;
  });
  return { changes, changeIndexes };
}

/** The errors of records, and the external_ids of the others. */
function partitionRecords(
  { plan: name }: ClaimedImport,
  contacts: readonly MappedContact[],
  { byExternalId: byExternalId, changeIndexes, current }: StoredBatch,
): { readonly errors: readonly RowError[]; readonly imported: ReadonlySet<string> } {
  const plan = planOf(name);
  const errors: RowError[] = [];
  const imported = new Set<string>();
  for (const [index, { row, externalId }] of contacts.entries()) {
    const result = byExternalId.get(externalId);
    const rejected = result?.rejected.get(changeIndexes[index] ?? 0);
    if (!result) errors.push(rowError(row, externalId, limitReached('contacts', current, plan)));
    else if (rejected) errors.push(rowError(row, externalId, invalidFields([rejected])));
    else imported.add(externalId);
  }
  return { errors, imported };
}

/**
 * What a dry run would do with each imported record. The first record of a contact counts; later ones are merged into
 * it, even if the first was in an earlier batch.
 */
function rowsOf(
  contacts: readonly MappedContact[],
  failed: ReadonlySet<number>,
  optedOut: ReadonlySet<string>,
  { byExternalId: byExternalId }: StoredBatch,
): RowResult[] {
  const reported = new Set<string>();
  return contacts.flatMap(({ row, externalId }): RowResult[] => {
    if (failed.has(row)) return [];
    const result = reported.has(externalId) ? undefined : byExternalId.get(externalId);
    reported.add(externalId);
    const updatedFields = result && !result.isCreated ? result.updatedFields : [];
    return [
      {
        row,
        externalId,
        outcome: outcomeOf(result),
        updatedFields,
        optsOut: optedOut.has(externalId),
        code: null,
      },
    ];
  });
}

function outcomeOf(result: ContactUpsertResult | undefined): RowOutcome {
  if (!result) return 'merged';
  if (result.isCreated) return 'created';
  return result.updatedFields.length > 0 ? 'updated' : 'unchanged';
}
