/**
 * Erases a contact's data in suppressions: a keyed digest of the address remains, so that the suppression still
 * applies.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { AddressDigests } from '../../contacts/application/address-digests.js';
import { PersonalDataEraser, type ErasedPerson } from '../../contacts/application/personal-data.port.js';
import { addressKey } from '../domain/suppression.js';
import { SuppressionRepository } from '../persistence/suppression.repository.js';

@Injectable()
export class SuppressionErasure extends PersonalDataEraser {
  readonly rows = 'suppressions';

  constructor(
    private readonly suppressions: SuppressionRepository,
    private readonly digests: AddressDigests,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async erase(
    tx: Transaction,
    scope: TenantScope,
    { contactId, email }: ErasedPerson,
  ): Promise<number> {
    const at = this.clock.now();
    const found = await this.suppressions.ofPerson(tx, scope, contactId, addressKey(email ?? ''));
    for (const { id, address } of found) {
      const digest = await this.digests.toStore(tx, scope, address);
      if (digest) await this.suppressions.erase(tx, scope, id, { digest, at });
    }
    return found.length;
  }
}
