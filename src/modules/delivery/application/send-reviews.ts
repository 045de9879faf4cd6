/**
 * Reviews held messages when their rules change: the workspace's settings, a flow's steps, or the end of a pause of
 * promotional mail. The change marks a review as due; a worker then releases or reschedules affected messages in
 * batches. No message is missed: holding one shares the lock of the review's row and reads the rules under it, so
 * either the holder sees the change, or the review sees the message.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { decideBySendHours } from '../domain/send-gates.js';
import {
  SendReviewRepository,
  type HoursHeldMessage,
  type RescheduledMessage,
} from '../persistence/send-review.repository.js';
import { GateRulesReader } from './gate-rules-reader.js';
import { MessagePauses } from './message-pauses.js';
import type { GateRules } from '../domain/gate-order.js';

/** Messages reviewed in one transaction. */
export const REVIEW_BATCH_ROWS = 500;

@Injectable()
export class SendReviews {
  constructor(
    private readonly database: Database,
    private readonly reviews: SendReviewRepository,
    private readonly rules: GateRulesReader,
    private readonly pauses: MessagePauses,
  ) {}

  /** Blocks changes of the rules until the transaction ends, so rules read from here on stay valid until then. */
  async share(tx: Transaction, scope: TenantScope): Promise<void> {
    await this.reviews.share(tx, scope);
  }

  /**
   * Reviews the next messages if a review is due.
   * @returns whether there are more to review.
   */
  async reviewNext(scope: TenantScope, now: Date): Promise<boolean> {
    return this.database.inScope(scope, async (tx) => {
      const review = await this.reviews.due(tx, scope, now);
      if (!review) return false;
      const released = await this.pauses.release(tx, scope, now);
      // The review stays due: the dispatcher wakes a worker for it again.
      if (released !== 'all') return released === 'more';
      const held = await this.reviews.held(tx, scope, review.after, REVIEW_BATCH_ROWS);
      const rules = await this.rules.read(tx, scope, held);
      await this.reviews.reschedule(
        tx,
        scope,
        held.flatMap((message) => reschedulingOf(message, rules, now)),
        now,
      );
      const last = held.length === REVIEW_BATCH_ROWS ? held.at(-1) : undefined;
      const isOver = last === undefined && !review.again;
      await this.reviews.store(tx, scope, {
        lookAt: isOver ? null : now,
        after: last?.id ?? null,
        again: last !== undefined && review.again,
      });
      return !isOver;
    });
  }
}

/** The change to a message: none, or the time of its next check. */
function reschedulingOf(
  message: HoursHeldMessage,
  { workspace, settingsOf }: GateRules<HoursHeldMessage>,
  now: Date,
): RescheduledMessage[] {
  const { id, contactTimezone } = message;
  const decision = decideBySendHours({ settings: settingsOf(message), workspace, contactTimezone }, now);
  // A message that may never go is due immediately; the gates then refuse it.
  if (decision.kind !== 'wait') return [{ id, gate: null, until: now }];
  const { gate, until } = decision;
  const isSame = gate === message.gate && until.getTime() === message.until.getTime();
  return isSame ? [] : [{ id, gate, until }];
}
