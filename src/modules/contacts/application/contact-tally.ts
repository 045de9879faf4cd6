/** How many contacts a tenant has, as far as committed: the kept number, which costs nothing to ask. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { ContactCountRepository } from '../persistence/contact-count.repository.js';

@Injectable()
export class ContactTally {
  constructor(private readonly counts: ContactCountRepository) {}

  /** Contacts that count toward the plan's cap, section 8.2: all but deleted ones. */
  async of(tx: Transaction, scope: TenantScope): Promise<number> {
    return this.counts.of(tx, scope);
  }
}
