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
import type { LastWork, Transaction } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import type { MessageState } from '../domain/email-log.js';
import { judgedSince, pauseReasonOf, type SendingFigures } from '../domain/sending-pause.js';
import {
  PromotionalSendingRepository,
  type FigureChange,
  type PromotionalSending,
} from '../persistence/promotional-sending.repository.js';
import { PauseNews } from './pause-news.port.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

/** Milliseconds between checks of the metrics while messages are sent. */
const LOOK_EVERY = MINUTE;

interface OfTenant {
  readonly scope: TenantScope;
  readonly change: FigureChange;
}

@Injectable()
export class SendingTally extends SettledMessagesListener implements LastWork<OfTenant> {
  readonly name = 'sending figures';

  constructor(
    private readonly standings: PromotionalSendingRepository,
    private readonly news: PauseNews,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  /** Counts messages that were sent, or turned out not to have been sent. */
  override async hear(tx: Transaction, scope: TenantScope, messages: readonly MessageState[]): Promise<void> {
    const changes = messages.flatMap(({ contentType, status, before, at }) => {
      const sent = Number(status === 'sent') - Number(before === 'sent');
      return contentType === 'promotional' && sent !== 0 ? [{ at, sent, bounced: 0, complained: 0 }] : [];
    });
    this.add(tx, scope, changes);
    await Promise.resolve();
  }

  /** Adds changes of live promotional messages to the metrics, at the end of the transaction. */
  add(tx: Transaction, scope: TenantScope, changes: readonly FigureChange[]): void {
    if (scope.environment !== 'live' || changes.length === 0) return;
    tx.beforeCommit(
      this,
      changes.map((change) => ({ scope, change })),
    );
  }

  /** Transactions that settle messages or process feedback each belong to one tenant. */
  async store(tx: Transaction, items: readonly OfTenant[]): Promise<void> {
    const [first] = items;
    if (!first) return;
    const { scope } = first;
    const changes = items.map(({ change }) => change);
    const standing = await this.standing(tx, scope, changes);
    if (!standing) return;
    await this.standings.add(tx, scope, changes, standing.countsSince);
    const now = this.clock.now();
    const hasComeBack = changes.some(({ bounced, complained }) => bounced > 0 || complained > 0);
    const isDue = standing.judgedAt === null || now.getTime() - standing.judgedAt.getTime() >= LOOK_EVERY;
    if (standing.pausedAt !== null || (!hasComeBack && !isDue)) return;
    await this.judge(tx, scope, standing, now);
    if (isDue) await this.standings.judged(tx, scope, now);
  }

  /** The tenant's state. Its metrics start with the first message; undefined before that. */
  private async standing(
    tx: Transaction,
    scope: TenantScope,
    changes: readonly FigureChange[],
  ): Promise<PromotionalSending | undefined> {
    const known = await this.standings.find(tx, scope);
    if (known) return known;
    const sentAt = changes.flatMap(({ at, sent }) => (sent > 0 ? [at.getTime()] : []));
    if (sentAt.length === 0) return undefined;
    await this.standings.begin(tx, scope, new Date(Math.min(...sentAt)));
    return this.standings.find(tx, scope);
  }

  private async judge(
    tx: Transaction,
    scope: TenantScope,
    { countsSince }: PromotionalSending,
    now: Date,
  ): Promise<void> {
    const figuresSince = (since: Date): Promise<SendingFigures> =>
      this.standings.figures(tx, scope, judgedSince(since, now));
    if (!pauseReasonOf(await figuresSince(countsSince))) return;
    // Another transaction may have paused it in the meantime, or a person may have resumed it.
    const standing = await this.standings.lock(tx, scope);
    if (!standing || standing.pausedAt !== null) return;
    const figures = await figuresSince(standing.countsSince);
    const reason = pauseReasonOf(figures);
    if (!reason) return;
    const pause = { id: uuidv7(now.getTime()), reason, pausedAt: now, ...figures };
    await this.standings.pause(tx, scope, pause);
    await this.news.paused(tx, scope, pause);
    tx.afterCommit(() => {
      this.metrics.sendingPauses.inc({ reason });
      this.logger.warn({ ...scope, reason, ...figures }, 'Promotional mail is paused');
    });
  }
}
