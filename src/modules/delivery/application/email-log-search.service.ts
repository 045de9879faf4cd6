/** Searches messages by their contacts. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import type { EmailLog } from '../domain/email-log.js';
import { EmailLogRepository, type EmailLogFilter } from '../persistence/email-log.repository.js';

export interface EmailLogSearch extends EmailLogFilter {
  readonly externalId?: string | undefined;
  /** The current address of contacts. */
  readonly email?: string | undefined;
}

export interface EmailLogPage {
  readonly logs: readonly EmailLog[];
  readonly total: number;
}

@Injectable()
export class EmailLogSearchService {
  constructor(
    private readonly database: Database,
    private readonly emailLogs: EmailLogRepository,
    private readonly contacts: KnownContacts,
  ) {}

  /** A page of messages, newest first, and the total, counted up to `maxCounted`. */
  async page(
    scope: TenantScope,
    { externalId, email, ...filter }: EmailLogSearch,
    window: { readonly limit: number; readonly offset: number },
    maxCounted: number,
  ): Promise<EmailLogPage> {
    return this.database.listInScope(scope, async (tx) => {
      let { contactIds } = filter;
      for (const name of [{ externalId }, { email }]) {
        const ids = await this.contacts.idsByName(tx, scope, name);
        if (ids) contactIds = contactIds?.filter((id) => ids.includes(id)) ?? ids;
      }
      if (contactIds?.length === 0) return { logs: [], total: 0 };
      const resolvedFilter = { ...filter, contactIds };
      const total = await this.emailLogs.count(tx, scope, resolvedFilter, maxCounted);
      const logs = total > window.offset ? await this.emailLogs.list(tx, scope, resolvedFilter, window) : [];
      return { logs, total };
    });
  }
}
