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
const MIN_CONTACTS_TO_PRECHECK = 32;
const ALL_KINDS = { named: true, erased: true } as const;

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
    const storedKinds =
      contacts.length < MIN_CONTACTS_TO_PRECHECK ? ALL_KINDS : await this.suppressions.kinds(tx, scope);
    if (!storedKinds.named && !storedKinds.erased) return new Map();
    const idsByKey = new Map<string, string[]>();
    const addresses: string[] = [];
    const digests: string[] = [];
    const addKey = (key: string, id: string, keys: string[]): void => {
      const ids = idsByKey.get(key);
      if (ids) ids.push(id);
      else {
        idsByKey.set(key, [id]);
        keys.push(key);
      }
    };
    for (const { id, email } of contacts) {
      const address = addressKey(email ?? '');
      if (address === undefined) continue;
      if (storedKinds.named) addKey(address, id, addresses);
      if (storedKinds.erased)
        for (const digest of this.digests.toFind(scope, address)) addKey(digest, id, digests);
    }
    if (addresses.length === 0 && digests.length === 0) return new Map();
    const found = new Map<string, SuppressionReason>();
    for (const { key, reason } of await this.suppressions.among(tx, scope, addresses, digests))
      for (const id of idsByKey.get(key) ?? [])
        found.set(id, strongerReason(reason, found.get(id) ?? reason));
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
