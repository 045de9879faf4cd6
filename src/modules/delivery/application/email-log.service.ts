/** What people can read of messages and do with them. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import type { EmailLog } from '../domain/email-log.js';
import { EmailLogRepository, type EmailLogFilter } from '../persistence/email-log.repository.js';
import { MessageQueueRepository } from '../persistence/message-queue.repository.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

@Injectable()
export class EmailLogService {
  constructor(
    private readonly database: Database,
    private readonly emailLogs: EmailLogRepository,
    private readonly queue: MessageQueueRepository,
    private readonly listener: SettledMessagesListener,
    private readonly deadLetters: DeadLetterList,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
  ) {}

  /** A page of messages, newest first. */
  async list(
    scope: TenantScope,
    filter: EmailLogFilter,
    { first, after }: PageRequest,
  ): Promise<Slice<EmailLog>> {
    const logs = await this.database.listInScope(scope, (tx) =>
      this.emailLogs.list(tx, scope, filter, { limit: first + 1, before: after?.id }),
    );
    return sliceOf(logs, first);
  }

  /** One message. @throws DomainError email_log_not_found. */
  async get(scope: TenantScope, id: string): Promise<EmailLog> {
    const log = await this.find(scope, id);
    if (!log) throw emailLogNotFound();
    return log;
  }

  /** One message; undefined when there is none. */
  async find(scope: TenantScope, id: string): Promise<EmailLog | undefined> {
    if (!isUuid(id)) return undefined;
    return this.database.inScope(scope, (tx) => this.emailLogs.find(tx, scope, id));
  }

  /** The messages of trips, for data loaders that query many trips together. */
  async ofTrips(scope: TenantScope, tripIds: readonly string[]): Promise<EmailLog[]> {
    return this.database.inScope(scope, (tx) => this.emailLogs.ofTrips(tx, scope, tripIds));
  }

  /**
   * Sends a message with an unknown outcome again, under the same Message-ID, because a person requests it.
   * @throws DomainError email_log_not_found, or conflict when its outcome is not unknown.
   */
  async resendUnknown(scope: TenantScope, id: string): Promise<EmailLog> {
    const { log, isQueued } = await this.database.inScope(scope, async (tx) => {
      if (!isUuid(id)) return { isQueued: false, log: undefined };
      const now = this.clock.now();
      const isQueued = await this.requeueUnknown(tx, scope, id, now);
      return { isQueued, log: await this.emailLogs.find(tx, scope, id) };
    });
    if (!log) throw emailLogNotFound();
    if (!isQueued)
      throw new DomainError(
        'conflict',
        `The message is ${log.status}: only a message whose outcome is unknown can be resent.`,
      );
    return log;
  }

  /**
   * Queues a message with an unknown outcome again, in the caller's transaction. Returns whether its outcome was
   * unknown.
   */
  async requeueUnknown(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    const queued = await this.queue.requeueUnknown(tx, scope, id, now);
    if (queued.length === 0) return false;
    await this.deadLetters.remove(tx, scope, 'send', [id]);
    await this.listener.handle(tx, scope, queued, now);
    tx.afterCommit(() => this.dispatcher.wake(WAKE_UPS.sends, scope));
    return true;
  }
}

export function emailLogNotFound(): DomainError {
  return new DomainError('email_log_not_found', 'No such email log exists.');
}
