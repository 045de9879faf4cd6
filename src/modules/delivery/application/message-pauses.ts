/**
 * Holds promotional messages while the workspace's are paused, and releases them when a person has ended the pause. No
 * message is left behind. A transaction that holds a message shares the lock of the tenant's review and checks under it
 * whether there is a pause. A transaction that ends a pause takes that lock and marks the review as due. So either the
 * holder sees that the pause is over, or the review finds the message.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { decideByPause, type PauseReason } from '../domain/sending-pause.js';
import type { DueSend } from '../persistence/send-ledger.repository.js';
import { SendReviewRepository } from '../persistence/send-review.repository.js';
import { PromotionalSendingRepository } from '../persistence/promotional-sending.repository.js';

/** Messages released in one transaction. */
const RELEASE_BATCH_ROWS = 500;

export interface PausedMessages {
  /** The messages to hold, and until when. */
  readonly held: ReadonlyMap<DueSend, Date>;
  /** Messages for which the pause has lasted too long. */
  readonly refused: ReadonlySet<DueSend>;
}

@Injectable()
export class MessagePauses {
  constructor(
    private readonly promotionalSending: PromotionalSendingRepository,
    private readonly reviews: SendReviewRepository,
  ) {}

  /** Applies the pause to messages that the transaction has just claimed. Transactional messages cost no query. */
  async among(
    tx: Transaction,
    scope: TenantScope,
    due: readonly DueSend[],
    now: Date,
  ): Promise<PausedMessages> {
    const held = new Map<DueSend, Date>();
    const refused = new Set<DueSend>();
    const promotional = due.filter(({ contentType }) => contentType === 'promotional');
    if (promotional.length === 0 || (await this.pausedAt(tx, scope)) === null) return { held, refused };
    await this.reviews.share(tx, scope);
    const decision = decideByPause(await this.pausedAt(tx, scope), now);
    for (const send of promotional)
      if (decision.kind === 'wait') held.set(send, decision.until);
      else if (decision.kind === 'suppress') refused.add(send);
    return { held, refused };
  }

  /**
   * Releases messages that an ended pause still holds.
   * @returns `all` if none is left, `more` if there may be more, `locked` if other transactions hold the remaining
   * ones.
   */
  async release(tx: Transaction, scope: TenantScope, now: Date): Promise<'all' | 'more' | 'locked'> {
    const until = (await this.promotionalSending.find(tx, scope))?.releasing ?? null;
    if (until === null) return 'all';
    const released = await this.promotionalSending.release(tx, scope, until, RELEASE_BATCH_ROWS, now);
    if (released > 0) return 'more';
    if ((await this.promotionalSending.countHeld(tx, scope, until, 1)) > 0) return 'locked';
    await this.promotionalSending.markReleased(tx, scope);
    return 'all';
  }

  /** The reason of the current pause, or of the last one. */
  async reason(tx: Transaction, scope: TenantScope): Promise<PauseReason | undefined> {
    return (await this.promotionalSending.pauses(tx, scope, 1))[0]?.reason;
  }

  private async pausedAt(tx: Transaction, scope: TenantScope): Promise<Date | null> {
    if (scope.environment !== 'live') return null;
    return (await this.promotionalSending.find(tx, scope))?.pausedAt ?? null;
  }
}
