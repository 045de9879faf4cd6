/**
 * Keyed digests of addresses, under the keys of opt-outs, for modules that must recognise an address after its
 * contact was erased.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { namesOfAddress } from '../domain/opt-out.js';
import { OptOutRepository } from '../persistence/opt-out.repository.js';
import { OptOutDigests } from './opt-out-digests.js';

@Injectable()
export class AddressDigests {
  constructor(
    private readonly digests: OptOutDigests,
    private readonly repository: OptOutRepository,
  ) {}

  /**
   * The digest of 32 bytes under which an address is stored; undefined if the text is not an address. Once a digest
   * is stored, the service does not start without the key.
   */
  async toStore(tx: Transaction, scope: TenantScope, email: string): Promise<Buffer | undefined> {
    const [name] = namesOfAddress(email);
    const [fingerprint] = this.digests.fingerprints();
    if (!name || !fingerprint) return undefined;
    await this.repository.recordKey(tx, fingerprint);
    return this.digests.toStore(scope, name);
  }

  /** Every digest under which an address may have been stored, in hexadecimal. */
  toFind(scope: TenantScope, email: string): string[] {
    return namesOfAddress(email).flatMap((name) => this.digests.toFind(scope, name));
  }
}
