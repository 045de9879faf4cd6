/** The committed number of a tenant's contacts. It is a stored counter, so reading it is cheap. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { ContactCountRepository } from '../persistence/contact-count.repository.js';

@Injectable()
export class ContactCounter {
  constructor(private readonly counts: ContactCountRepository) {}

  /** Contacts that count toward the plan's limit, section 8.2: all that are not deleted. */
  async of(tx: Transaction, scope: TenantScope): Promise<number> {
    return this.counts.of(tx, scope);
  }
}
