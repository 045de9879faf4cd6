/** Tells whoever listens of messages that have met their fate. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { lastingReasonOf } from '../../set-aside/application/failure.js';
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
   * @param isPatient whether what may pass is thrown; it is set aside, too, otherwise.
   */
  async announceInAnyCase(
    tx: Transaction,
    scope: TenantScope,
    stored: readonly MessageState[],
    { now, isPatient }: { readonly now: Date; readonly isPatient: boolean },
  ): Promise<void> {
    for (const state of stored)
      try {
        await tx.apart(() => this.announce(tx, scope, [state], now));
      } catch (error) {
        const code = lastingReasonOf(error, isPatient);
        if (code === undefined) throw error;
        await this.list.note(tx, scope, 'settled_send', { subjectId: state.id, code }, now);
      }
  }
}
