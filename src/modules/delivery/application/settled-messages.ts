/** Tells whoever listens of messages that have met their fate. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { failureOf } from '../../set-aside/application/failure.js';
import { SetAsideList } from '../../set-aside/application/set-aside-list.js';
import type { MessageState } from '../domain/email-log.js';
import { isSettled } from '../domain/email-log-transitions.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

@Injectable()
export class SettledMessages {
  constructor(
    private readonly listener: SettledMessagesListener,
    private readonly list: SetAsideList,
  ) {}

  /** Tells of those of the messages that are settled; where a listener throws, the transaction is lost. */
  async announce(
    tx: Transaction,
    scope: TenantScope,
    stored: readonly MessageState[],
    now: Date,
  ): Promise<void> {
    const settled = stored.filter(({ status }) => isSettled(status));
    if (settled.length > 0) await this.listener.hear(tx, scope, settled, now);
  }

  /**
   * Tells of each by itself, and loses only what a listener does that no repetition would mend: that is set aside, and
   * the fate of the message stands.
   */
  async announceInAnyCase(
    tx: Transaction,
    scope: TenantScope,
    stored: readonly MessageState[],
    now: Date,
  ): Promise<void> {
    for (const state of stored)
      try {
        await tx.apart(() => this.announce(tx, scope, [state], now));
      } catch (error) {
        const failure = failureOf(error);
        if (failure.kind !== 'lasting') throw error;
        const { code } = failure;
        await this.list.note(tx, scope, 'settled_send', { subjectId: state.id, code }, now);
      }
  }
}
