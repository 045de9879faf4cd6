/**
 * Keyed digests of addresses, under the keys of opt-outs, for modules that must recognise an address after its
 * contact was erased.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { namesOfAddress } from '../domain/refusal.js';
import { RefusalRepository } from '../persistence/refusal.repository.js';
import { RefusalDigests } from './refusal-digests.js';

@Injectable()
export class AddressDigests {
  constructor(
    private readonly digests: RefusalDigests,
    private readonly refusals: RefusalRepository,
  ) {}

  /**
   * The digest of 32 bytes under which an address is stored; undefined if the text is not an address. Once a digest
   * is stored, the service does not start without the key.
   */
  async toStore(tx: Transaction, scope: TenantScope, email: string): Promise<Buffer | undefined> {
    const [name] = namesOfAddress(email);
    const [fingerprint] = this.digests.fingerprints();
    if (!name || !fingerprint) return undefined;
    await this.refusals.noteKey(tx, fingerprint);
    return this.digests.toStore(scope, name);
  }

  /** Every digest under which an address may have been stored, in hexadecimal. */
  toFind(scope: TenantScope, email: string): string[] {
    return namesOfAddress(email).flatMap((name) => this.digests.toFind(scope, name));
  }
}
