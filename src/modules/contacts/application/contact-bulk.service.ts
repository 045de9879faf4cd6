/**
 * POST /v1/contacts/bulk, section 4.10: many contacts in one transaction, with a few statements for each chunk of
 * contacts, limited by the bytes it touches. An invalid item does not affect the others. A crash before the response
 * leaves all or nothing stored, and repeating the request gives the same result.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { limitReached, planOf } from '../../limits/domain/plan.js';
import type { ContactChanges } from '../domain/contact.js';
import { type BulkRequest, readBulkItem } from '../domain/read-bulk.js';
import type { ContactInput } from '../domain/read-contact.js';
import { ContactUpserts, type BulkUpsertResult } from './contact-upserts.js';
import { cannotSubscribe, optedOutBy, StatusRequests } from './status-requests.js';

export interface BulkError {
  readonly index: number;
  readonly externalId: string | null;
  readonly code: string;
  readonly detail: string;
}

/** Each item is counted once: created, updated, skipped (known and unchanged), or listed in `errors`. */
export interface BulkOutcome {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly errors: readonly BulkError[];
}

interface Item extends ContactInput {
  readonly index: number;
}

@Injectable()
export class ContactBulkService {
  constructor(
    private readonly database: Database,
    private readonly upserts: ContactUpserts,
    private readonly statusRequests: StatusRequests,
    private readonly clock: Clock,
  ) {}

  /**
   * Upserts the valid contacts. If an external_id occurs more than once, later items are merged into earlier ones.
   * The contact is counted for the first of them; the others count as skipped.
   * @param plan the workspace's; its limit on contacts applies.
   */
  async upsert(
    scope: TenantScope,
    plan: string,
    { contacts, onConflict }: BulkRequest,
  ): Promise<BulkOutcome> {
    const { items: readable, errors } = readItems(contacts);
    const options = { now: this.clock.now(), maximum: planOf(plan).caps.contacts, mergeMode: onConflict };
    const { items, changeIndexes, rejected, result } = await this.database.inScope(
      scope,
      async (tx): Promise<BulkWork> => {
        const rejectedIndexes = await this.statusRequests.rejectedAmong(tx, scope, readable);
        const items = readable.filter((_, at) => !rejectedIndexes.has(at));
        const { requested, changeIndexes } = changesByContact(items);
        const optOuts = optedOutBy(items);
        const result = await this.upserts.applyInChunks(tx, scope, requested, { ...options, optOuts });
        const rejected = readable.filter((_, at) => rejectedIndexes.has(at));
        return { items, changeIndexes, rejected, result };
      },
    );
    for (const { index, externalId } of rejected) errors.push(errorOf(index, externalId, cannotSubscribe()));
    const counts = { created: 0, updated: 0, skipped: 0 };
    const counted = new Set<string>();
    items.forEach(({ index, externalId }, item) => {
      const contactResult = result.byExternalId.get(externalId);
      if (!contactResult) {
        errors.push(errorOf(index, externalId, limitReached('contacts', result.current, planOf(plan))));
        return;
      }
      const rejection = contactResult.rejected.get(changeIndexes[item] ?? 0);
      if (rejection) {
        errors.push(errorOf(index, externalId, invalidFields([rejection])));
        return;
      }
      if (counted.has(externalId)) counts.skipped++;
      else if (contactResult.isCreated) counts.created++;
      else if (contactResult.updatedFields.length > 0) counts.updated++;
      else counts.skipped++;
      counted.add(externalId);
    });
    errors.sort((a, b) => a.index - b.index);
    return { total: contacts.length, ...counts, errors };
  }
}

interface BulkWork {
  readonly items: readonly Item[];
  /** For each item, its index among the changes of its contact. */
  readonly changeIndexes: readonly number[];
  /** Items that try to subscribe a contact that has opted out. */
  readonly rejected: readonly Item[];
  readonly result: BulkUpsertResult;
}

function changesByContact(items: readonly Item[]): {
  requested: Map<string, ContactChanges[]>;
  changeIndexes: number[];
} {
  const requested = new Map<string, ContactChanges[]>();
  const changeIndexes = items.map(({ externalId, changes }) => {
    const earlier = requested.get(externalId);
    if (!earlier) requested.set(externalId, [changes]);
    return earlier ? earlier.push(changes) - 1 : 0;
  });
  return { requested, changeIndexes };
}

function readItems(contacts: readonly unknown[]): { items: Item[]; errors: BulkError[] } {
  const items: Item[] = [];
  const errors: BulkError[] = [];
  contacts.forEach((input, index) => {
    try {
      items.push({ index, ...readBulkItem(input) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      errors.push(errorOf(index, externalIdOf(input), error));
    }
  });
  return { items, errors };
}

function errorOf(index: number, externalId: string | null, { code, detail }: DomainError): BulkError {
  return { index, externalId, code, detail };
}

/** The identifier of an invalid item, if it has one. */
function externalIdOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null;
  const { external_id: externalId, user_id: alias } = input as Record<string, unknown>;
  const identifier = externalId ?? alias;
  return typeof identifier === 'string' ? identifier : null;
}
