/**
 * Waits for messages that were being sent when they were cancelled, so that a caller can guarantee that none of them
 * starts later.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { inEachEnvironment } from '../../../platform/database/environments.js';
import { MessageQueueRepository } from '../persistence/message-queue.repository.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

/** Milliseconds of real time. Attempts usually take less; one that takes longer is already being transmitted. */
const MAX_WAIT_MS = 3_000;
const POLL_INTERVAL_MS = 20;

@Injectable()
export class InFlightMessages {
  constructor(
    private readonly database: Database,
    private readonly queue: MessageQueueRepository,
    private readonly listener: SettledMessagesListener,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the current attempts for messages of a flow have ended, or after PATIENCE. Messages that would have
   * been retried are cancelled. Call it after the transaction that cancelled the flow's messages.
   */
  async waitUntilDone(scope: WorkspaceScope, flowId: string): Promise<void> {
    const deadline = performance.now() + MAX_WAIT_MS;
    let remaining = await this.listSending(scope, flowId, undefined);
    const known = remaining;
    while (remaining.length > 0 && performance.now() < deadline) {
      await pause(POLL_INTERVAL_MS);
      remaining = await this.listSending(scope, flowId, remaining);
    }
    if (known.length > 0) await this.cancelRequeued(scope, known);
  }

  /** Messages of the flow that are being sent, in both environments. */
  private async listSending(
    scope: WorkspaceScope,
    flowId: string,
    among: readonly string[] | undefined,
  ): Promise<string[]> {
    const found: string[] = [];
    await this.database.inScope(scope, (tx) =>
      inEachEnvironment(tx, scope, async (tenant) => {
        found.push(...(await this.queue.listSending(tx, tenant, flowId, among)));
      }),
    );
    return found;
  }

  private async cancelRequeued(scope: WorkspaceScope, ids: readonly string[]): Promise<void> {
    const now = this.clock.now();
    await this.database.inScope(scope, (tx) =>
      inEachEnvironment(tx, scope, async (tenant: TenantScope) => {
        const cancelled = await this.queue.cancelRequeued(tx, tenant, ids, now);
        await this.listener.handle(tx, tenant, cancelled, now);
      }),
    );
  }
}
