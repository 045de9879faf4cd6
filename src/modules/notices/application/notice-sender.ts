/**
 * Sends the product's own mail, a few at a time, regardless of the workspace's state, plan and gates, because it is to
 * people who run the workspace or are invited to. A claimed mail belongs to one process, and no other takes it over
 * while that process lives. A mail that may have left before its process died is sent again under its Message-ID, at
 * most five times.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { ProductMail, type ProductMessage } from '../../delivery/application/product-mail.js';
import { afterCrash, afterFailure } from '../../delivery/domain/retry.js';
import type { FailedAttempt } from '../../delivery/domain/failed-attempt.js';
import { isHardRejection } from '../../feedback/domain/bounces/classify-bounce.js';
import { Batches } from '../../set-aside/application/batches.js';
import { failureOf } from '../../set-aside/application/failure.js';
import { SetAsideList } from '../../set-aside/application/set-aside-list.js';
import type { ClaimedNotice } from '../domain/notice.js';
import { contentOf } from '../domain/notice-words.js';
import { plainName } from '../domain/plain-name.js';
import { NoticeRepository, type NoticeOutcome } from '../persistence/notice.repository.js';
import { Letters } from './letters.port.js';
import { laidOut } from './notice-layout.js';
import { QueuedNotices } from './queued-notices.js';

/** Mails that are sent concurrently. The workspace's other mails wait. */
const BATCH = 5;
/** Rows that are deleted together. */
const SWEPT = 500;

@Injectable()
export class NoticeSender {
  private readonly inHand = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly notices: NoticeRepository,
    private readonly mail: ProductMail,
    private readonly letters: Letters,
    private readonly batches: Batches,
    private readonly queue: QueuedNotices,
    private readonly list: SetAsideList,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Sends due mails and deletes expired rows, until nothing is left or `mayGoOn` returns false.
   * @returns whether some may be left.
   */
  async drain(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    while (mayGoOn()) {
      const claimed = await this.claim(scope);
      try {
        await Promise.all(claimed.map((one) => this.settle(scope, one)));
      } finally {
        for (const { id } of claimed) this.inHand.delete(id);
      }
      const swept = await this.sweep(scope);
      if (claimed.length < BATCH && swept < SWEPT) return false;
    }
    return true;
  }

  private async claim(scope: TenantScope): Promise<ClaimedNotice[]> {
    const claimed = await this.database.inScope(scope, (tx) =>
      this.notices.claim(tx, scope, this.clock.now(), BATCH, [...this.inHand]),
    );
    for (const { id } of claimed) this.inHand.add(id);
    return claimed;
  }

  private async settle(scope: TenantScope, claimed: ClaimedNotice): Promise<void> {
    const outcome = await this.attempt(scope, claimed);
    if (!outcome) return;
    await this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      await this.notices.store(tx, scope, claimed, outcome, now);
      if (outcome.status === 'failed' && outcome.isDead) await this.bounced(tx, scope, claimed, now);
      if (outcome.status !== 'queued') await this.list.forget(tx, scope, this.queue.kind, [claimed.id]);
    });
    this.metrics.notices.inc({ kind: claimed.notice.kind, outcome: outcome.status });
    if (outcome.status !== 'failed' && outcome.status !== 'queued') return;
    const { code, status } = outcome;
    this.logger.warn(
      { noticeId: claimed.id, ...scope, code, status },
      'A notice was not accepted by the mail server',
    );
  }

  /** Handles a mail for which the recipient's server reported, during the session, that the address does not exist. */
  private async bounced(
    tx: Transaction,
    scope: TenantScope,
    { id, to, notice: { kind } }: ClaimedNotice,
    now: Date,
  ): Promise<void> {
    if (kind !== 'report' && kind !== 'report_confirmation') return;
    const known = await this.notices.find(tx, scope, id);
    if (!known) return;
    await this.letters.returned(tx, scope, { kind, subjectId: known.subjectId, to, status: 'bounced' }, now);
  }

  /** The outcome of an attempt; undefined if the mail became a dead letter. */
  private async attempt(scope: TenantScope, claimed: ClaimedNotice): Promise<NoticeOutcome | undefined> {
    const { id, reissues } = claimed;
    // A mail that survives this number of crashes may be causing them.
    if (reissues > 0 && afterCrash({ contentType: 'transactional', reissues: reissues - 1 }) === 'unknown')
      return { status: 'failed', code: 'unknown_fate', isDead: false };
    try {
      const message = await this.messageOf(scope, claimed);
      if (!message) return { status: 'withdrawn' };
      const failed = await this.mail.send(scope, message);
      return failed ? this.outcomeOf(claimed, failed) : { status: 'sent' };
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'lasting')
        return this.outcomeOf(claimed, { kind: 'unreachable', detail: 'The email could not be built.' });
      await this.batches.setAside(scope, this.queue, id, { code: failure.code, error });
      return undefined;
    }
  }

  /** The message to send; undefined if it was cancelled in the meantime. */
  private async messageOf(
    scope: TenantScope,
    { id, to, notice }: ClaimedNotice,
  ): Promise<ProductMessage | undefined> {
    const { kind: purpose } = notice;
    if (notice.kind !== 'report') {
      const content = contentOf(notice, to, this.config.baseUrl);
      return { id, to, subject: content.subject, purpose, ...laidOut(content) };
    }
    const { environment, letterId } = notice;
    const letter = await this.letters.letter({ ...scope, environment }, letterId, to);
    return letter && { id, to, toName: plainName(notice.name ?? '', ''), purpose, ...letter };
  }

  private outcomeOf(claimed: ClaimedNotice, failed: FailedAttempt): NoticeOutcome {
    const attempted = { ...claimed, contentType: 'transactional' } as const;
    const next = afterFailure(attempted, failed, this.clock.now(), Math.random());
    switch (next.kind) {
      case 'again':
        return { status: 'queued', code: next.code, at: next.at, reissue: next.reissue };
      case 'failed':
        return {
          status: 'failed',
          code: next.code,
          isDead: failed.kind === 'permanent' && isHardRejection(failed.detail),
        };
      case 'unknown':
        return { status: 'failed', code: 'unknown_fate', isDead: false };
    }
  }

  private async sweep(scope: TenantScope): Promise<number> {
    return this.database.inScope(scope, async (tx) => {
      const swept = await this.notices.sweep(tx, scope, this.clock.now(), SWEPT);
      await this.list.forget(tx, scope, this.queue.kind, swept);
      return swept.length;
    });
  }
}
