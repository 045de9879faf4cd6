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
import { ContactUpserts, type ContactFate, type Fates } from '../../contacts/application/contact-upserts.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { Refusals } from '../../contacts/application/refusals.js';
import type { ContactChanges } from '../../contacts/domain/contact.js';
import { namesOf, namesOfAddress } from '../../contacts/domain/refusal.js';
import { limitReached, planOf } from '../../limits/domain/plan.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import type { ClaimedImport } from '../domain/checkpoint.js';
import type { RowError } from '../domain/import-error.js';
import type { RowFate, RowOutcome } from '../domain/import-row.js';
import { rowError, type MappedContact } from '../domain/mapping.js';
import { listedOf, type ListedAddress } from '../domain/listed-addresses.js';
import type { NamedRefuser, ReadBatch, SuppressedAddress } from '../domain/read-batch.js';
import { seenKey, type SeenKind } from '../domain/seen-keys.js';
import { MOST_BEARERS } from '../domain/work-bounds.js';
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
  readonly rows: readonly RowFate[];
}

/** What is to be stored, and the result of storing it. */
interface Wanted {
  readonly contacts: readonly MappedContact[];
  /** The external_ids of contacts that have opted out, according to the source. */
  readonly out: ReadonlySet<string>;
  readonly addresses: readonly SuppressedAddress[];
  readonly refusers: readonly NamedRefuser[];
  readonly listed: readonly ListedAddress[];
}
interface Stored extends Fates {
  readonly suppressed: number;
  /** For each record, the index of its contact's change. */
  readonly places: readonly number[];
}

/** Carries the results of a dry run out of the savepoint that it rolls back. */
class Undone extends Error {
  constructor(readonly stored: Stored) {
    super('A dry run stores nothing.');
  }
}

@Injectable()
export class ContactImport {
  constructor(
    private readonly upserts: ContactUpserts,
    private readonly known: KnownContacts,
    private readonly refusals: Refusals,
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
    const read = { ...given, contacts: await this.named(tx, scope, given.contacts) };
    const addresses = await this.fresh(
      tx,
      scope,
      job,
      'address',
      read.suppressions,
      ({ address }) => address,
    );
    const out = await this.refusing(tx, scope, job, read.contacts, addresses.length > 0);
    // A dry run does not store again what an earlier batch has counted; it would appear as new again.
    const counted = job.dryRun ? await this.counted(tx, scope, job, read.contacts) : new Set<string>();
    const contacts = read.contacts.filter(({ externalId }) => !counted.has(externalId));
    const listed = await this.fresh(
      tx,
      scope,
      job,
      'listed',
      listedOf(addresses, [...read.contacts, ...read.refusers]),
      ({ reason, address }) => `${reason} ${address}`,
    );
    const wanted = { contacts, out, addresses, refusers: read.refusers, listed };
    const stored = job.dryRun
      ? await this.rehearse(tx, scope, job, wanted)
      : await this.store(tx, scope, job, wanted);
    const { errors, imported } = sortOut(job, contacts, stored);
    const isImported = new Set([...counted, ...imported]);
    const { created, updated } = await this.countNew(tx, scope, job, stored);
    const gone = await this.fresh(
      tx,
      scope,
      job,
      'out',
      [...out].filter((id) => isImported.has(id)),
      (id) => id,
    );
    return {
      imported: read.contacts.length - errors.length,
      ...{ created, updated, errors },
      ...{ unsubscribed: gone.length, suppressed: stored.suppressed, came: stored.came },
      rows: job.dryRun ? rowsOf(read.contacts, new Set(errors.map(({ row }) => row)), out, stored) : [],
    };
  }

  /**
   * Contacts under the external_ids that they have here. If the source only knows an address, the contact's
   * external_id may be that address in another spelling.
   */
  private async named(
    tx: Transaction,
    scope: TenantScope,
    contacts: readonly MappedContact[],
  ): Promise<readonly MappedContact[]> {
    const addresses = new Set(contacts.flatMap(({ isByEmail, externalId }) => (isByEmail ? externalId : [])));
    const spellings = new Map<string, string>();
    for (const id of await this.known.bearersOf(tx, scope, [...addresses], MOST_BEARERS)) {
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
    { contacts, out, addresses, refusers, listed }: Wanted,
  ): Promise<Stored> {
    const now = this.clock.now();
    await this.refusals.keepNames(
      tx,
      scope,
      [...addresses.flatMap(({ address }) => namesOfAddress(address)), ...refusers.flatMap(namesOf)],
      now,
    );
    const suppressed = await this.suppressions.add(
      tx,
      scope,
      listed.map(({ email, reason }) => ({
        ...{ email, reason, since: now, by: job.createdBy, note: `Imported from ${job.platform}.` },
        ...{ emailLogId: null, contactId: null },
      })),
    );
    const { changes, places } = changesOf(contacts);
    const bearers = await this.known.bearersOf(
      tx,
      scope,
      addresses.map(({ address }) => address),
      MOST_BEARERS,
    );
    const refusing = refusers.map(({ externalId }) => externalId);
    const known = [...bearers, ...(await this.known.presentAmong(tx, scope, refusing))];
    for (const id of known) if (!changes.has(id)) changes.set(id, [{}]);
    const maximum = planOf(job.plan).caps.contacts - (job.dryRun ? job.checkpoint.came : 0);
    const optOuts = new Set([...out, ...bearers, ...refusing]);
    const fates = await this.upserts.applyInBites(tx, scope, changes, { now, maximum, optOuts });
    return { ...fates, suppressed, places };
  }

  private async rehearse(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    wanted: Wanted,
  ): Promise<Stored> {
    try {
      return await tx.apart(async () => {
        throw new Undone(await this.store(tx, scope, job, wanted));
      });
    } catch (error) {
      if (error instanceof Undone) return error.stored;
      throw error;
    }
  }

  /** The contacts that have opted out, according to what the source reports of the person or the address. */
  private async refusing(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    contacts: readonly MappedContact[],
    hasAddresses: boolean,
  ): Promise<Set<string>> {
    const out = new Set(contacts.flatMap(({ externalId, optOut }) => (optOut === null ? [] : externalId)));
    if (!hasAddresses && !job.checkpoint.hasSuppressions) return out;
    const bearers = new Map<string, string[]>();
    for (const { externalId, email } of contacts)
      for (const { text } of namesOfAddress(email)) {
        const key = seenKey(job.id, 'address', text);
        bearers.set(key, [...(bearers.get(key) ?? []), externalId]);
      }
    for (const key of await this.seen.among(tx, scope, job.id, [...bearers.keys()]))
      for (const id of bearers.get(key) ?? []) out.add(id);
    return out;
  }

  /** The external_ids of those contacts that the job has counted before. */
  private async counted(
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
    { of }: Stored,
  ): Promise<{ readonly created: number; readonly updated: number }> {
    const touched = [...of].filter(
      ([, { isCreated, updatedFields }]) => isCreated || updatedFields.length > 0,
    );
    const news = await this.fresh(tx, scope, job, 'counted', touched, ([id]) => id);
    const created = news.filter(([, { isCreated }]) => isCreated).length;
    return { created, updated: news.length - created };
  }

  /** Those of the items that are new to the job. Records them as seen. */
  private async fresh<Item>(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    kind: SeenKind,
    items: readonly Item[],
    nameOf: (item: Item) => string,
  ): Promise<Item[]> {
    if (items.length === 0) return [];
    const keys = items.map((item) => seenKey(job.id, kind, nameOf(item)));
    const news = await this.seen.note(tx, scope, job.id, keys);
    return items.filter((_, place) => news.delete(keys[place] ?? ''));
  }
}

/** The change of each contact, and for each record the index of its contact's change. */
function changesOf(contacts: readonly MappedContact[]): {
  readonly changes: Map<string, ContactChanges[]>;
  readonly places: readonly number[];
} {
  const changes = new Map<string, ContactChanges[]>();
  const places = contacts.map(({ externalId, changes: own }) => {
    const earlier = changes.get(externalId);
    if (!earlier) changes.set(externalId, [own]);
    return earlier ? earlier.push(own) - 1 : 0;
  });
  return { changes, places };
}

/** The errors of records, and the external_ids of the others. */
function sortOut(
  { plan: name }: ClaimedImport,
  contacts: readonly MappedContact[],
  { of, places, current }: Stored,
): { readonly errors: readonly RowError[]; readonly imported: ReadonlySet<string> } {
  const plan = planOf(name);
  const errors: RowError[] = [];
  const imported = new Set<string>();
  for (const [place, { row, externalId }] of contacts.entries()) {
    const fate = of.get(externalId);
    const refused = fate?.refused.get(places[place] ?? 0);
    if (!fate) errors.push(rowError(row, externalId, limitReached('contacts', current, plan)));
    else if (refused) errors.push(rowError(row, externalId, invalidFields([refused])));
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
  out: ReadonlySet<string>,
  { of }: Stored,
): RowFate[] {
  const told = new Set<string>();
  return contacts.flatMap(({ row, externalId }): RowFate[] => {
    if (failed.has(row)) return [];
    const fate = told.has(externalId) ? undefined : of.get(externalId);
    told.add(externalId);
    const updatedFields = fate && !fate.isCreated ? fate.updatedFields : [];
    return [
      { row, externalId, outcome: outcomeOf(fate), updatedFields, optsOut: out.has(externalId), code: null },
    ];
  });
}

function outcomeOf(fate: ContactFate | undefined): RowOutcome {
  if (!fate) return 'merged';
  if (fate.isCreated) return 'created';
  return fate.updatedFields.length > 0 ? 'updated' : 'unchanged';
}
