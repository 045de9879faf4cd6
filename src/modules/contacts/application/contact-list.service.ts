/** Lists of contacts, section 4.10, by page and by cursor. */
import { Injectable } from '@nestjs/common';
import { isStorableText } from '../../../kernel/json.js';
import type { PageCursor } from '../../../kernel/page-cursor.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import type { ContactOrder } from '../domain/contact-order.js';
import type { Contact } from '../domain/contact.js';
import { ContactCountRepository } from '../persistence/contact-count.repository.js';
import { ContactSearchRepository } from '../persistence/contact-search.repository.js';

export interface ContactPage {
  readonly contacts: readonly Contact[];
  readonly total: number;
}

interface ListOptions {
  /** Part of external_id, email, first_name or last_name; null or empty matches all contacts. */
  readonly search: string | null;
  readonly order: ContactOrder;
  readonly limit: number;
}

@Injectable()
export class ContactListService {
  constructor(
    private readonly database: Database,
    private readonly contacts: ContactSearchRepository,
    private readonly counts: ContactCountRepository,
  ) {}

  /** One page, from 1, and the total number of contacts. */
  async page(scope: TenantScope, options: ListOptions & { readonly page: number }): Promise<ContactPage> {
    return this.window(scope, { ...options, offset: (options.page - 1) * options.limit, after: null });
  }

  /** The contacts after a position, and the total number. */
  async listAfter(
    scope: TenantScope,
    options: ListOptions & { readonly after: PageCursor | null },
  ): Promise<ContactPage> {
    return this.window(scope, { ...options, offset: 0 });
  }

  private async window(
    scope: TenantScope,
    options: ListOptions & { readonly offset: number; readonly after: PageCursor | null },
  ): Promise<ContactPage> {
    const { search, ...window } = options;
    // A text that PostgreSQL cannot store matches no contact.
    if (search !== null && !isStorableText(search)) return { contacts: [], total: 0 };
    if (search !== null && search !== '') return this.contacts.search(scope, search, window);
    const [contacts, total] = await Promise.all([
      this.contacts.list(scope, window),
      this.database.inScope(scope, (tx) => this.counts.of(tx, scope)),
    ]);
    return { contacts, total };
  }
}
