/**
 * Messages that were being sent as they were called off: whoever promises that none of them starts any more waits until
 * their attempts have ended.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { inEachEnvironment } from '../../../platform/database/environments.js';
import { MessageQueueRepository } from '../persistence/message-queue.repository.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

/** Milliseconds of real time: attempts take less as a rule; one that takes longer is on the wire by then. */
const PATIENCE = 3_000;
const BETWEEN_LOOKS = 20;

@Injectable()
export class MessagesUnderWay {
  constructor(
    private readonly database: Database,
    private readonly queue: MessageQueueRepository,
    private readonly listener: SettledMessagesListener,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the attempts that are being made for messages of a flow have ended, or after seconds; those that were
   * to be tried again are called off. For after the transaction in which the flow's messages were called off.
   */
  async ended(scope: WorkspaceScope, flowId: string): Promise<void> {
    const patience = performance.now() + PATIENCE;
    let left = await this.look(scope, flowId, undefined);
    const known = left;
    while (left.length > 0 && performance.now() < patience) {
      await pause(BETWEEN_LOOKS);
      left = await this.look(scope, flowId, left);
    }
    if (known.length > 0) await this.callOff(scope, known);
  }

  /** Messages of the flow that are being sent, in both environments. */
  private async look(
    scope: WorkspaceScope,
    flowId: string,
    among: readonly string[] | undefined,
  ): Promise<string[]> {
    const found: string[] = [];
    await this.database.inScope(scope, (tx) =>
      inEachEnvironment(tx, scope, async (tenant) => {
        found.push(...(await this.queue.beingSent(tx, tenant, flowId, among)));
      }),
    );
    return found;
  }

  private async callOff(scope: WorkspaceScope, ids: readonly string[]): Promise<void> {
    const now = this.clock.now();
    await this.database.inScope(scope, (tx) =>
      inEachEnvironment(tx, scope, async (tenant: TenantScope) => {
        const cancelled = await this.queue.cancelAgain(tx, tenant, ids, now);
        await this.listener.hear(tx, tenant, cancelled, now);
      }),
    );
  }
}
