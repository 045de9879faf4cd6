/**
 * Counts live promotional mail and its bounces and complaints, and pauses it when there are too many. It counts last
 * before the commit, because all sends of a workspace update the same row. It checks the metrics after every bounce or
 * complaint, and periodically while messages are sent.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { MINUTE } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { BeforeCommitWork, Transaction } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import type { MessageState } from '../domain/email-log.js';
import { ratesSince, pauseReasonOf, type SendingCounts } from '../domain/sending-pause.js';
import {
  PromotionalSendingRepository,
  type SendingCountsDelta,
  type PromotionalSending,
} from '../persistence/promotional-sending.repository.js';
import { PauseNotifications } from './pause-notifications.port.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

/** Milliseconds between checks of the metrics while messages are sent. */
const CHECK_INTERVAL_MS = MINUTE;

interface TenantDelta {
  readonly scope: TenantScope;
  readonly change: SendingCountsDelta;
}

@Injectable()
export class SendingCounters extends SettledMessagesListener implements BeforeCommitWork<TenantDelta> {
  readonly name = 'sending figures';

  constructor(
    private readonly promotionalSending: PromotionalSendingRepository,
    private readonly notifications: PauseNotifications,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  /** Counts messages that were sent, or turned out not to have been sent. */
  override async handle(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly MessageState[],
  ): Promise<void> {
    const deltas = messages.flatMap(({ contentType, status, before, at }) => {
      const sent = Number(status === 'sent') - Number(before === 'sent');
      return contentType === 'promotional' && sent !== 0 ? [{ at, sent, bounced: 0, complained: 0 }] : [];
    });
    this.add(tx, scope, deltas);
    await Promise.resolve();
  }

  /** Adds changes of live promotional messages to the metrics, at the end of the transaction. */
  add(tx: Transaction, scope: TenantScope, deltas: readonly SendingCountsDelta[]): void {
    if (scope.environment !== 'live' || deltas.length === 0) return;
    tx.beforeCommit(
      this,
      deltas.map((change) => ({ scope, change })),
    );
  }

  /** Transactions that settle messages or process feedback each belong to one tenant. */
  async store(tx: Transaction, items: readonly TenantDelta[]): Promise<void> {
    const [first] = items;
    if (!first) return;
    const { scope } = first;
    const deltas = items.map(({ change }) => change);
    const state = await this.stateOf(tx, scope, deltas);
    if (!state) return;
    await this.promotionalSending.add(tx, scope, deltas, state.countsSince);
    const now = this.clock.now();
    const hasNegativeFeedback = deltas.some(({ bounced, complained }) => bounced > 0 || complained > 0);
    const isDue = state.judgedAt === null || now.getTime() - state.judgedAt.getTime() >= CHECK_INTERVAL_MS;
    if (state.pausedAt !== null || (!hasNegativeFeedback && !isDue)) return;
    await this.pauseIfExceeded(tx, scope, state, now);
    if (isDue) await this.promotionalSending.markChecked(tx, scope, now);
  }

  /** The tenant's state. Its metrics start with the first message; undefined before that. */
  private async stateOf(
    tx: Transaction,
    scope: TenantScope,
    deltas: readonly SendingCountsDelta[],
  ): Promise<PromotionalSending | undefined> {
    const known = await this.promotionalSending.find(tx, scope);
    if (known) return known;
    const sentAt = deltas.flatMap(({ at, sent }) => (sent > 0 ? [at.getTime()] : []));
    if (sentAt.length === 0) return undefined;
    await this.promotionalSending.create(tx, scope, new Date(Math.min(...sentAt)));
    return this.promotionalSending.find(tx, scope);
  }

  private async pauseIfExceeded(
    tx: Transaction,
    scope: TenantScope,
    { countsSince }: PromotionalSending,
    now: Date,
  ): Promise<void> {
    const countsFrom = (since: Date): Promise<SendingCounts> =>
      this.promotionalSending.counts(tx, scope, ratesSince(since, now));
    if (!pauseReasonOf(await countsFrom(countsSince))) return;
    // Another transaction may have paused it in the meantime, or a person may have resumed it.
    const state = await this.promotionalSending.lock(tx, scope);
    if (!state || state.pausedAt !== null) return;
    const counts = await countsFrom(state.countsSince);
    const reason = pauseReasonOf(counts);
    if (!reason) return;
    const pause = { id: uuidv7(now.getTime()), reason, pausedAt: now, ...counts };
    await this.promotionalSending.pause(tx, scope, pause);
    await this.notifications.notifyPaused(tx, scope, pause);
    tx.afterCommit(() => {
      this.metrics.sendingPauses.inc({ reason });
      this.logger.warn({ ...scope, reason, ...counts }, 'Promotional mail is paused');
    });
  }
}
