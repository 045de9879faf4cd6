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
import { Batches } from '../../dead-letters/application/batches.js';
import { failureOf } from '../../dead-letters/application/failure.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import type { ClaimedNotice } from '../domain/notice.js';
import { contentOf } from '../domain/notice-content.js';
import { plainName } from '../domain/plain-name.js';
import { NoticeRepository, type NoticeOutcome } from '../persistence/notice.repository.js';
import { ReportEmails } from './report-emails.port.js';
import { renderNotice } from './notice-layout.js';
import { QueuedNotices } from './queued-notices.js';

/** Mails that are sent concurrently. The workspace's other mails wait. */
const BATCH_SIZE = 5;
/** Rows that are deleted together. */
const MAX_SWEPT_ROWS = 500;

@Injectable()
export class NoticeSender {
  private readonly inFlight = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly notices: NoticeRepository,
    private readonly mail: ProductMail,
    private readonly reportEmails: ReportEmails,
    private readonly batches: Batches,
    private readonly queue: QueuedNotices,
    private readonly deadLetters: DeadLetterList,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Sends due mails and deletes expired rows, until nothing is left or `mayContinue` returns false.
   * @returns whether some may be left.
   */
  async drain(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    while (mayContinue()) {
      const claimed = await this.claim(scope);
      try {
        await Promise.all(claimed.map((one) => this.settle(scope, one)));
      } finally {
        for (const { id } of claimed) this.inFlight.delete(id);
      }
      const swept = await this.sweep(scope);
      if (claimed.length < BATCH_SIZE && swept < MAX_SWEPT_ROWS) return false;
    }
    return true;
  }

  private async claim(scope: TenantScope): Promise<ClaimedNotice[]> {
    const claimed = await this.database.inScope(scope, (tx) =>
      this.notices.claim(tx, scope, this.clock.now(), BATCH_SIZE, [...this.inFlight]),
    );
    for (const { id } of claimed) this.inFlight.add(id);
    return claimed;
  }

  private async settle(scope: TenantScope, claimed: ClaimedNotice): Promise<void> {
    const outcome = await this.attempt(scope, claimed);
    if (!outcome) return;
    await this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      await this.notices.store(tx, scope, claimed, outcome, now);
      if (outcome.status === 'failed' && outcome.isHardBounce)
        await this.handleBounce(tx, scope, claimed, now);
      if (outcome.status !== 'queued')
        await this.deadLetters.remove(tx, scope, this.queue.kind, [claimed.id]);
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
  private async handleBounce(
    tx: Transaction,
    scope: TenantScope,
    { id, to, notice: { kind } }: ClaimedNotice,
    now: Date,
  ): Promise<void> {
    if (kind !== 'report' && kind !== 'report_confirmation') return;
    const found = await this.notices.find(tx, scope, id);
    if (!found) return;
    await this.reportEmails.handleReturned(
      tx,
      scope,
      { kind, subjectId: found.subjectId, to, status: 'bounced' },
      now,
    );
  }

  /** The outcome of an attempt; undefined if the mail became a dead letter. */
  private async attempt(scope: TenantScope, claimed: ClaimedNotice): Promise<NoticeOutcome | undefined> {
    const { id, reissues } = claimed;
    // A mail that survives this number of crashes may be causing them.
    if (reissues > 0 && afterCrash({ contentType: 'transactional', reissues: reissues - 1 }) === 'unknown')
      return { status: 'failed', code: 'unknown_fate', isHardBounce: false };
    try {
      const message = await this.messageOf(scope, claimed);
      if (!message) return { status: 'withdrawn' };
      const failed = await this.mail.send(scope, message);
      return failed ? this.outcomeOf(claimed, failed) : { status: 'sent' };
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'lasting')
        return this.outcomeOf(claimed, { kind: 'unreachable', detail: 'The email could not be built.' });
      await this.batches.deadLetter(scope, this.queue, id, { code: failure.code, error });
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
      return { id, to, subject: content.subject, purpose, ...renderNotice(content) };
    }
    const { environment, letterId } = notice;
    const email = await this.reportEmails.load({ ...scope, environment }, letterId, to);
    return email && { id, to, toName: plainName(notice.name ?? '', ''), purpose, ...email };
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
          isHardBounce: failed.kind === 'permanent' && isHardRejection(failed.detail),
        };
      case 'unknown':
        return { status: 'failed', code: 'unknown_fate', isHardBounce: false };
    }
  }

  private async sweep(scope: TenantScope): Promise<number> {
    return this.database.inScope(scope, async (tx) => {
      const swept = await this.notices.sweep(tx, scope, this.clock.now(), MAX_SWEPT_ROWS);
      await this.deadLetters.remove(tx, scope, this.queue.kind, swept);
      return swept.length;
    });
  }
}
