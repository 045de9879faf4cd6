/** What people may see of messages and do about them. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import type { EmailLog } from '../domain/email-log.js';
import { EmailLogRepository, type EmailLogFilter } from '../persistence/email-log.repository.js';
import { SENDS_BELL } from '../queue/sends.jobs.js';

export interface EmailLogPage {
  readonly logs: readonly EmailLog[];
  /** Asks for the next page; null on the last one. */
  readonly nextCursor: string | null;
}

@Injectable()
export class EmailLogService {
  constructor(
    private readonly database: Database,
    private readonly emailLogs: EmailLogRepository,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
  ) {}

  /** A page of messages, newest first. An id or cursor that is none matches nothing. */
  async list(
    scope: TenantScope,
    filter: EmailLogFilter,
    { limit, after }: { readonly limit: number; readonly after: string | undefined },
  ): Promise<EmailLogPage> {
    const ids = [filter.sourceId, filter.contactId, after].filter((id) => id !== undefined);
    if (!ids.every(isUuid)) return { logs: [], nextCursor: null };
    const logs = await this.database.listInScope(scope, (tx) =>
      this.emailLogs.list(tx, scope, filter, { limit: limit + 1, before: after }),
    );
    const page = logs.slice(0, limit);
    return { logs: page, nextCursor: logs.length > limit ? (page.at(-1)?.id ?? null) : null };
  }

  /** One message; undefined when there is none. */
  async find(scope: TenantScope, id: string): Promise<EmailLog | undefined> {
    if (!isUuid(id)) return undefined;
    return this.database.inScope(scope, (tx) => this.emailLogs.find(tx, scope, id));
  }

  /** The messages of trips, for loaders that ask about many at once. */
  async ofTrips(scope: TenantScope, tripIds: readonly string[]): Promise<EmailLog[]> {
    return this.database.inScope(scope, (tx) => this.emailLogs.ofTrips(tx, scope, tripIds));
  }

  /**
   * Sends a message of unknown fate once more, under the same Message-ID, because a person asks for it.
   * @throws DomainError email_log_not_found, or conflict when its fate is not unknown.
   */
  async resendUnknown(scope: TenantScope, id: string): Promise<EmailLog> {
    const { log, isQueued } = await this.database.inScope(scope, async (tx) => {
      const isQueued = isUuid(id) && (await this.emailLogs.requeueUnknown(tx, scope, id, this.clock.now()));
      return { isQueued, log: isUuid(id) ? await this.emailLogs.find(tx, scope, id) : undefined };
    });
    if (!log) throw new DomainError('email_log_not_found', 'There is no such email log.');
    if (!isQueued)
      throw new DomainError('conflict', `The message is ${log.status}; only one of unknown fate is resent.`);
    this.dispatcher.ring(SENDS_BELL, scope);
    return log;
  }
}
