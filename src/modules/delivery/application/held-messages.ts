/**
 * Handles, in the transaction of the change, a change to what holds messages. It marks a review as due; workers then
 * check the messages again.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { inEachEnvironment } from '../../../platform/database/environments.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { SettingsChanges } from '../../workspaces/application/settings-changes.port.js';
import { ThrottleQueueRepository } from '../persistence/throttle-queue.repository.js';
import { SendReviewRepository } from '../persistence/send-review.repository.js';

@Injectable()
export class HeldMessages extends SettingsChanges {
  constructor(
    private readonly reviews: SendReviewRepository,
    private readonly throttleQueues: ThrottleQueueRepository,
    private readonly dispatcher: Dispatcher,
  ) {
    super();
  }

  /** The workspace's settings have changed. */
  override async changed(tx: Transaction, scope: WorkspaceScope, now: Date): Promise<void> {
    await this.inEach(tx, scope, (tenant) => this.reviews.begin(tx, tenant, now));
  }

  /** The send hours or the throttle of a source have changed. */
  async sourceChanged(
    tx: Transaction,
    scope: WorkspaceScope,
    sourceId: string,
    what: { readonly hours: boolean; readonly throttle: boolean },
    now: Date,
  ): Promise<void> {
    if (!what.hours && !what.throttle) return;
    // In the order in which senders take these locks.
    await this.inEach(tx, scope, async (tenant) => {
      if (what.hours) await this.reviews.begin(tx, tenant, now);
      if (what.throttle) await this.throttleQueues.reset(tx, tenant, sourceId, now);
    });
  }

  private async inEach(
    tx: Transaction,
    scope: WorkspaceScope,
    work: (tenant: TenantScope) => Promise<void>,
  ): Promise<void> {
    await inEachEnvironment(tx, scope, async (tenant) => {
      await work(tenant);
      tx.afterCommit(() => this.dispatcher.wake(WAKE_UPS.sends, tenant));
    });
  }
}
