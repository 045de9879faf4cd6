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
import { ContactUpserts, type Fates } from './contact-upserts.js';
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
    private readonly statuses: StatusRequests,
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
    const { items: read, errors } = readItems(contacts);
    const options = { now: this.clock.now(), maximum: planOf(plan).caps.contacts, joining: onConflict };
    const { items, places, refusals, done } = await this.database.inScope(
      scope,
      async (tx): Promise<Work> => {
        const refused = await this.statuses.refusedAmong(tx, scope, read);
        const items = read.filter((_, at) => !refused.has(at));
        const { wanted, places } = changesByContact(items);
        const optOuts = optedOutBy(items);
        const done = await this.upserts.applyInBites(tx, scope, wanted, { ...options, optOuts });
        const refusals = read.filter((_, at) => refused.has(at));
        return { items, places, refusals, done };
      },
    );
    for (const { index, externalId } of refusals) errors.push(errorOf(index, externalId, cannotSubscribe()));
    const counts = { created: 0, updated: 0, skipped: 0 };
    const counted = new Set<string>();
    items.forEach(({ index, externalId }, item) => {
      const fate = done.of.get(externalId);
      if (!fate) {
        errors.push(errorOf(index, externalId, limitReached('contacts', done.current, planOf(plan))));
        return;
      }
      const refused = fate.refused.get(places[item] ?? 0);
      if (refused) {
        errors.push(errorOf(index, externalId, invalidFields([refused])));
        return;
      }
      if (counted.has(externalId)) counts.skipped++;
      else if (fate.isCreated) counts.created++;
      else if (fate.updatedFields.length > 0) counts.updated++;
      else counts.skipped++;
      counted.add(externalId);
    });
    errors.sort((a, b) => a.index - b.index);
    return { total: contacts.length, ...counts, errors };
  }
}

interface Work {
  readonly items: readonly Item[];
  /** For each item, its index among the changes of its contact. */
  readonly places: readonly number[];
  /** Items that try to subscribe a contact that has opted out. */
  readonly refusals: readonly Item[];
  readonly done: Fates;
}

function changesByContact(items: readonly Item[]): {
  wanted: Map<string, ContactChanges[]>;
  places: number[];
} {
  const wanted = new Map<string, ContactChanges[]>();
  const places = items.map(({ externalId, changes }) => {
    const earlier = wanted.get(externalId);
    if (!earlier) wanted.set(externalId, [changes]);
    return earlier ? earlier.push(changes) - 1 : 0;
  });
  return { wanted, places };
}

function readItems(contacts: readonly unknown[]): { items: Item[]; errors: BulkError[] } {
  const items: Item[] = [];
  const errors: BulkError[] = [];
  contacts.forEach((input, index) => {
    try {
      items.push({ index, ...readBulkItem(input) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      errors.push(errorOf(index, namedBy(input), error));
    }
  });
  return { items, errors };
}

function errorOf(index: number, externalId: string | null, { code, detail }: DomainError): BulkError {
  return { index, externalId, code, detail };
}

/** The identifier of an invalid item, if it has one. */
function namedBy(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null;
  const { external_id: externalId, user_id: alias } = input as Record<string, unknown>;
  const named = externalId ?? alias;
  return typeof named === 'string' ? named : null;
}
