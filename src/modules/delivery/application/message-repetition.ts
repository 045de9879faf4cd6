/** Requests failed messages again as new messages, because a person wants it. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import type { EmailLog } from '../domain/email-log.js';
import { repetitionRefusal, type RepetitionRefusal } from '../domain/repetition.js';
import { EmailLogRepository } from '../persistence/email-log.repository.js';
import { MessageQueueRepository } from '../persistence/message-queue.repository.js';

@Injectable()
export class MessageRepetition {
  constructor(
    private readonly emailLogs: EmailLogRepository,
    private readonly queue: MessageQueueRepository,
    private readonly deadLetters: DeadLetterList,
    private readonly dispatcher: Dispatcher,
  ) {}

  /**
   * Requests the message of each trip's step again where that is allowed (domain/repetition), in the transaction.
   * @param messages ids of messages of trips.
   * @returns why messages were refused, by id. A message that no longer exists is refused as not failed.
   */
  async repeat(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly string[],
    now: Date,
  ): Promise<ReadonlyMap<string, RepetitionRefusal>> {
    if (messages.length === 0) return new Map();
    // First, in the same order as the requeueing of dead letters: so a message is either sent again or requeued, never
    // both.
    const before = await this.refusals(tx, scope, messages, false);
    const allowed = messages.filter((id) => !before.refusals.has(id));
    await this.deadLetters.remove(tx, scope, 'send', allowed);
    const { refusals, found, repetitions } = await this.refusals(tx, scope, allowed, true);
    const again = found.filter(({ id }) => !refusals.has(id));
    await this.queue.enqueue(
      tx,
      scope,
      again.map((log) => ({
        id: uuidv7(now.getTime()),
        sourceId: log.sourceId,
        origin: 'resend',
        originId: log.id,
        originStep: (repetitions.get(log.id)?.length ?? 0) + 1,
        contactId: log.contactId,
        triggerEventId: log.triggerEventId,
        templateSlug: log.templateSlug,
        contentType: log.contentType,
        options: log.options,
      })),
      now,
    );
    if (again.length > 0) tx.afterCommit(() => this.dispatcher.wake(WAKE_UPS.sends, scope));
    return new Map([...before.refusals, ...refusals]);
  }

  private async refusals(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    lock: boolean,
  ): Promise<{
    readonly refusals: Map<string, RepetitionRefusal>;
    readonly found: readonly EmailLog[];
    readonly repetitions: ReadonlyMap<string, readonly EmailLog[]>;
  }> {
    const found = await this.emailLogs.findMany(tx, scope, ids, lock);
    const repetitions = new Map<string, EmailLog[]>();
    for (const log of await this.emailLogs.repetitionsOf(tx, scope, ids))
      repetitions.set(log.originId, [...(repetitions.get(log.originId) ?? []), log]);
    const byId = new Map(found.map((log) => [log.id, log]));
    const refusals = new Map<string, RepetitionRefusal>();
    for (const id of ids) {
      const log = byId.get(id);
      const refusal = log ? repetitionRefusal(log, repetitions.get(id) ?? []) : 'message_not_failed';
      if (refusal) refusals.set(id, refusal);
    }
    return { refusals, found, repetitions };
  }
}
