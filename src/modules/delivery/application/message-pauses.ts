/**
 * Holds promotional messages back while the workspace's are paused, and lets them go when a person has ended the pause.
 *
 * None is left behind: who holds a message back shares the lock of the tenant's review and reads under it whether there
 * is a pause; who ends one takes that lock and leaves a note in it, so that either it is known that the pause is over, or
 * the review finds the message.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { decideByPause, type PauseReason } from '../domain/sending-pause.js';
import type { DueSend } from '../persistence/send-ledger.repository.js';
import { SendReviewRepository } from '../persistence/send-review.repository.js';
import { PromotionalSendingRepository } from '../persistence/promotional-sending.repository.js';

/** Messages let go in one transaction. */
const RELEASED_AT_ONCE = 500;

export interface PausedMessages {
  /** Until when they wait. */
  readonly held: ReadonlyMap<DueSend, Date>;
  /** Those for which the pause has lasted too long. */
  readonly refused: ReadonlySet<DueSend>;
}

@Injectable()
export class MessagePauses {
  constructor(
    private readonly standings: PromotionalSendingRepository,
    private readonly reviews: SendReviewRepository,
  ) {}

  /** What a pause means for messages that the transaction has just taken in hand; transactional ones cost no query. */
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
   * Lets messages go that a pause has held which is over.
   * @returns whether all have gone, there may be more, or those that are left wait for whoever has them in hand.
   */
  async release(tx: Transaction, scope: TenantScope, now: Date): Promise<'all' | 'more' | 'locked'> {
    const until = (await this.standings.find(tx, scope))?.releasing ?? null;
    if (until === null) return 'all';
    const released = await this.standings.release(tx, scope, until, RELEASED_AT_ONCE, now);
    if (released > 0) return 'more';
    if ((await this.standings.held(tx, scope, until, 1)) > 0) return 'locked';
    await this.standings.released(tx, scope);
    return 'all';
  }

  /** Why promotional mail is paused, or was last. */
  async reason(tx: Transaction, scope: TenantScope): Promise<PauseReason | undefined> {
    return (await this.standings.pauses(tx, scope, 1))[0]?.reason;
  }

  private async pausedAt(tx: Transaction, scope: TenantScope): Promise<Date | null> {
    if (scope.environment !== 'live') return null;
    return (await this.standings.find(tx, scope))?.pausedAt ?? null;
  }
}
