/** The list of suppressed addresses for other modules: checks and adds addresses. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { AddressDigests } from '../../contacts/application/address-digests.js';
import {
  addressKey,
  strongerReason,
  strongestOfEach,
  type NewSuppression,
  type SuppressionReason,
} from '../domain/suppression.js';
import { SuppressionRepository, type KeyedSuppression } from '../persistence/suppression.repository.js';

/** The fields of a contact needed to check it. */
export interface SuppressibleContact {
  readonly id: string;
  readonly email: string | null;
}

/**
 * With at least this number of contacts, reading their addresses costs more than first checking whether the list has
 * entries.
 */
const WORTH_ASKING = 32;
const ANY = { named: true, erased: true } as const;

@Injectable()
export class Suppressions {
  constructor(
    private readonly suppressions: SuppressionRepository,
    private readonly digests: AddressDigests,
  ) {}

  /**
   * The suppression reasons of these contacts, by contact id; contacts without one are missing. One statement with
   * two lookups.
   */
  async among(
    tx: Transaction,
    scope: TenantScope,
    contacts: readonly SuppressibleContact[],
  ): Promise<ReadonlyMap<string, SuppressionReason>> {
    const kept = contacts.length < WORTH_ASKING ? ANY : await this.suppressions.kinds(tx, scope);
    if (!kept.named && !kept.erased) return new Map();
    const bearers = new Map<string, string[]>();
    const addresses: string[] = [];
    const digests: string[] = [];
    const note = (key: string, id: string, keys: string[]): void => {
      const ids = bearers.get(key);
      if (ids) ids.push(id);
      else {
        bearers.set(key, [id]);
        keys.push(key);
      }
    };
    for (const { id, email } of contacts) {
      const address = addressKey(email ?? '');
      if (address === undefined) continue;
      if (kept.named) note(address, id, addresses);
      if (kept.erased) for (const digest of this.digests.toFind(scope, address)) note(digest, id, digests);
    }
    if (addresses.length === 0 && digests.length === 0) return new Map();
    const found = new Map<string, SuppressionReason>();
    for (const { key, reason } of await this.suppressions.among(tx, scope, addresses, digests))
      for (const id of bearers.get(key) ?? []) found.set(id, strongerReason(reason, found.get(id) ?? reason));
    return found;
  }

  /**
   * Adds addresses to the list permanently; an existing entry with an equal or stronger reason does not change.
   * @returns how many were new or changed.
   */
  async add(tx: Transaction, scope: TenantScope, items: readonly NewSuppression[]): Promise<number> {
    const named: KeyedSuppression[] = [];
    const erased: KeyedSuppression[] = [];
    for (const [address, item] of strongestOfEach(items))
      if (item.isErased !== true) named.push({ ...item, address, digest: null });
      else {
        const digest = await this.digests.toStore(tx, scope, address);
        if (digest) erased.push({ ...item, address: null, digest, note: null, contactId: null });
      }
    const byAddress = await this.suppressions.add(tx, scope, 'address', named);
    return byAddress + (await this.suppressions.add(tx, scope, 'digest', erased));
  }
}
