/** Announces settled messages to the listeners. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { permanentReasonOf } from '../../dead-letters/application/failure.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import type { MessageState } from '../domain/email-log.js';
import { isSettled } from '../domain/email-log-transitions.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

@Injectable()
export class SettledMessages {
  constructor(
    private readonly listener: SettledMessagesListener,
    private readonly deadLetters: DeadLetterList,
  ) {}

  /** Announces the settled ones of the messages. If a listener throws, the transaction fails. */
  async announce(
    tx: Transaction,
    scope: TenantScope,
    stored: readonly MessageState[],
    now: Date,
  ): Promise<void> {
    const settled = stored.filter(({ status }) => isSettled(status));
    if (settled.length > 0) await this.listener.handle(tx, scope, settled, now);
  }

  /**
   * Announces each message separately. If a listener fails in a way that no retry would fix, the announcement becomes a
   * dead letter and the message's outcome stays stored.
   * @param mayRetry whether failures that may pass are thrown. Otherwise they become dead letters too.
   */
  async announceIndividually(
    tx: Transaction,
    scope: TenantScope,
    stored: readonly MessageState[],
    { now, mayRetry }: { readonly now: Date; readonly mayRetry: boolean },
  ): Promise<void> {
    for (const state of stored)
      try {
        await tx.inSavepoint(() => this.announce(tx, scope, [state], now));
      } catch (error) {
        const code = permanentReasonOf(error, mayRetry);
        if (code === undefined) throw error;
        await this.deadLetters.add(tx, scope, 'settled_send', { subjectId: state.id, code }, now);
      }
  }
}
