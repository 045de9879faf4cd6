/**
 * The sender's dealings with the ledger, one transaction each: what attempts have come to goes in, due messages come
 * out, and whoever listens hears in the same breath of those whose fate is settled.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Presence } from '../../../platform/database/presence.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { Refusals } from '../../contacts/application/refusals.js';
import type { ClaimedSend, FinishedSend } from '../domain/claimed-send.js';
import type { MessageState } from '../domain/email-log.js';
import { isSettled } from '../domain/email-log-transitions.js';
import { afterCrash } from '../domain/retry.js';
import { SendLedgerRepository } from '../persistence/send-ledger.repository.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

/**
 * Milliseconds that a message of a process that seems gone is left alone: a process that has only lost its database
 * for a moment stores what it knows first.
 */
const GRACE = 2_000;

@Injectable()
export class SendExchange {
  constructor(
    private readonly database: Database,
    private readonly ledger: SendLedgerRepository,
    private readonly refusals: Refusals,
    private readonly presence: Presence,
    private readonly listener: SettledMessagesListener,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /** Stores finished attempts and takes at most `limit` due messages in hand. */
  async exchange(
    scope: TenantScope,
    finished: readonly FinishedSend[],
    limit: number,
  ): Promise<ClaimedSend[]> {
    const now = this.clock.now();
    const sender = limit > 0 ? await this.presence.number() : 0;
    const claimed = await this.database.inScope(scope, async (tx) => {
      const stored = await this.ledger.store(tx, scope, finished, now);
      await this.announce(tx, scope, stored, now);
      const due = await this.ledger.claim(tx, scope, limit, sender, now);
      const refused = await this.refusals.among(
        tx,
        scope,
        due.flatMap(({ contact }) => (contact?.subscriptionStatus === 'subscribed' ? [contact] : [])),
      );
      return due.map((send) => ({ ...send, hasRefused: refused.has(send.contactId) }));
    });
    for (const { outcome } of finished) this.metrics.sends.inc({ outcome: outcome.kind });
    return claimed;
  }

  /**
   * Takes over messages that were left `sending`: those of processes that are gone, whose fate is unknown, and those
   * that this process took without ever hearing so, which were never sent.
   * @param inHand ids of the messages that this process has in hand.
   */
  async recover(scope: TenantScope, inHand: readonly string[]): Promise<void> {
    const now = this.clock.now();
    const sender = await this.presence.number();
    const settledBefore = new Date(now.getTime() - GRACE);
    const stored = await this.database.inScope(scope, async (tx) => {
      const left = await this.ledger.leftBehind(tx, scope, sender, inHand, settledBefore);
      const decided = left.map(({ id, isOwn, ...log }) => {
        const isLost = !isOwn && afterCrash(log) === 'unknown';
        return {
          id,
          status: isLost ? ('unknown' as const) : ('queued' as const),
          isReissue: !isOwn && !isLost,
        };
      });
      const stored = await this.ledger.takeOver(tx, scope, decided, now);
      await this.announce(tx, scope, stored, now);
      return stored;
    });
    for (const { status } of stored)
      this.metrics.sends.inc({ outcome: status === 'unknown' ? 'unknown' : 'recovered' });
  }

  private async announce(
    tx: Transaction,
    scope: TenantScope,
    stored: readonly MessageState[],
    now: Date,
  ): Promise<void> {
    const settled = stored.filter(({ status }) => isSettled(status));
    await this.listener.hear(tx, scope, settled, now);
  }
}
