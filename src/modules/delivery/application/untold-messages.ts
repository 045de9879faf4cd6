/**
 * Messages whose fate is stored, and whose announcement failed: what listeners would do about them is set aside, so that
 * the ledger holds what is true whoever else fails. Put back, their fate is announced again, in place.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkQueue } from '../../set-aside/application/work-queue.js';
import { isSettled } from '../domain/email-log-transitions.js';
import { MessageQueueRepository } from '../persistence/message-queue.repository.js';
import { SENDS_BELL } from '../queue/sends.jobs.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

@Injectable()
export class UntoldMessages implements WorkQueue {
  readonly kind = 'settled_send';
  readonly bell = SENDS_BELL;

  constructor(
    private readonly queue: MessageQueueRepository,
    private readonly listener: SettledMessagesListener,
  ) {}

  /** They are in no queue: the list alone remembers them. */
  takeOut(): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** One that is on its way again is announced when its fate is known. */
  async putBack(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    const state = await this.queue.stateOf(tx, scope, id);
    if (!state || !isSettled(state.status)) return false;
    await this.listener.hear(tx, scope, [state], now);
    return true;
  }
}
