/**
 * Looks again at messages that are held back when what holds them back has changed: the workspace's settings, what a flow
 * says of its steps, or a pause of promotional mail that is over. Whoever changes them leaves a note in the same
 * transaction; a worker goes through the messages in bites, and lets go or gives another moment to those for which it
 * makes a difference.
 *
 * None is missed: who holds a message back shares the lock of the note and reads the rules under it, so that either it
 * knows of the change, or the review knows of its message.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { decideByClocks } from '../domain/send-gates.js';
import {
  SendReviewRepository,
  type HeldByClocks,
  type Retimed,
} from '../persistence/send-review.repository.js';
import { GateRulesReader } from './gate-rules-reader.js';
import { MessagePauses } from './message-pauses.js';
import type { GateRules } from '../domain/gate-order.js';

/** Messages looked at in one transaction. */
export const REVIEWED_AT_ONCE = 500;

@Injectable()
export class SendReviews {
  constructor(
    private readonly database: Database,
    private readonly reviews: SendReviewRepository,
    private readonly rules: GateRulesReader,
    private readonly pauses: MessagePauses,
  ) {}

  /** Keeps changes of the rules waiting until the transaction ends; what it reads of them from here on is true for as long. */
  async share(tx: Transaction, scope: TenantScope): Promise<void> {
    await this.reviews.share(tx, scope);
  }

  /**
   * Looks at the next messages where a review is due.
   * @returns whether there are more to look at.
   */
  async goOn(scope: TenantScope, now: Date): Promise<boolean> {
    return this.database.inScope(scope, async (tx) => {
      const review = await this.reviews.due(tx, scope, now);
      if (!review) return false;
      const released = await this.pauses.release(tx, scope, now);
      // The review stays due: the dispatcher rings for it again.
      if (released !== 'all') return released === 'more';
      const held = await this.reviews.held(tx, scope, review.after, REVIEWED_AT_ONCE);
      const rules = await this.rules.read(tx, scope, held);
      await this.reviews.retime(
        tx,
        scope,
        held.flatMap((message) => retimed(message, rules, now)),
        now,
      );
      const last = held.length === REVIEWED_AT_ONCE ? held.at(-1) : undefined;
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

/** What is to be changed of a message: nothing, or when it is asked next. */
function retimed(
  message: HeldByClocks,
  { workspace, settingsOf }: GateRules<HeldByClocks>,
  now: Date,
): Retimed[] {
  const { id, contactTimezone } = message;
  const decision = decideByClocks({ settings: settingsOf(message), workspace, contactTimezone }, now);
  // What may never go is told so when it is asked, at once.
  if (decision.kind !== 'wait') return [{ id, gate: null, until: now }];
  const { gate, until } = decision;
  const isSame = gate === message.gate && until.getTime() === message.until.getTime();
  return isSame ? [] : [{ id, gate, until }];
}
