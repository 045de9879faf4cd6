/** Shows the state of a workspace's promotional mail, and lets people resume it. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { Author } from '../../../kernel/principal.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { AuditLog } from '../../audit/application/audit-log.js';
import { heldUntil, ratesSince, resumableAt, type SendingCounts } from '../domain/sending-pause.js';
import { SendReviewRepository } from '../persistence/send-review.repository.js';
import {
  PromotionalSendingRepository,
  type SendingPause,
} from '../persistence/promotional-sending.repository.js';

/** How many pauses are shown. */
const MAX_PAUSES_SHOWN = 20;
/** Held messages are counted up to this number. */
export const MAX_HELD_COUNTED = 10_000;

export interface PromotionalSendingStatus extends SendingCounts {
  /** Since when the metrics count. */
  readonly since: Date;
  /** The current pause; null when there is none. */
  readonly pause: SendingPause | null;
  /** When a person can end the pause at the earliest; null when there is none. */
  readonly resumableAt: Date | null;
  /** Messages that the pause holds, up to MAX_HELD_COUNTED. */
  readonly held: number;
  /** The latest pauses, newest first. */
  readonly pauses: readonly SendingPause[];
}

@Injectable()
export class PromotionalSendings {
  constructor(
    private readonly database: Database,
    private readonly promotionalSending: PromotionalSendingRepository,
    private readonly reviews: SendReviewRepository,
    private readonly dispatcher: Dispatcher,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  async status(scope: TenantScope): Promise<PromotionalSendingStatus> {
    return this.database.inScope(scope, (tx) => this.read(tx, scope));
  }

  /**
   * Resumes promotional mail. Earlier bounces and complaints no longer count.
   * @throws DomainError conflict if it is not paused, or may not resume yet.
   */
  async resume(scope: TenantScope, author: Author, note: string | null): Promise<PromotionalSendingStatus> {
    const now = this.clock.now();
    const status = await this.database.inScope(scope, async (tx) => {
      // In the order in which senders take these locks.
      await this.reviews.begin(tx, scope, now);
      const state = await this.promotionalSending.lock(tx, scope);
      if (!state?.pausedAt) throw new DomainError('conflict', 'Promotional mail is not paused.');
      const earliest = resumable(state.pausedAt, await this.promotionalSending.pauses(tx, scope, 2));
      if (now < earliest)
        throw new DomainError(
          'conflict',
          `Promotional mail was paused twice within a week. It can be resumed from ${earliest.toISOString()}.`,
        );
      const resumption = { held: heldUntil(state.pausedAt), by: author.actor, note };
      await this.promotionalSending.resume(tx, scope, resumption, now);
      await this.audit.record(tx, scope, author, {
        action: 'promotional_mail_resumed',
        subjectId: scope.workspaceId,
        before: { environment: scope.environment, pausedAt: state.pausedAt.toISOString() },
        after: { environment: scope.environment, note },
      });
      return this.read(tx, scope);
    });
    this.dispatcher.wake(WAKE_UPS.sends, scope);
    return status;
  }

  private async read(tx: Transaction, scope: TenantScope): Promise<PromotionalSendingStatus> {
    const state = await this.promotionalSending.find(tx, scope);
    const since = ratesSince(state?.countsSince ?? null, this.clock.now());
    const counts = await this.promotionalSending.counts(tx, scope, since);
    const pauses = await this.promotionalSending.pauses(tx, scope, MAX_PAUSES_SHOWN);
    const pausedAt = state?.pausedAt ?? null;
    const pause = pauses.find(({ resumedAt }) => resumedAt === null) ?? null;
    return {
      ...counts,
      since,
      pause,
      resumableAt: pausedAt && resumable(pausedAt, pauses),
      held: pausedAt
        ? await this.promotionalSending.countHeld(tx, scope, heldUntil(pausedAt), MAX_HELD_COUNTED)
        : 0,
      pauses,
    };
  }
}

/** @param pauses the latest ones, including the current one. */
function resumable(pausedAt: Date, pauses: readonly SendingPause[]): Date {
  const before = pauses.find(({ resumedAt }) => resumedAt !== null);
  return resumableAt(pausedAt, before?.resumedAt ?? null);
}
