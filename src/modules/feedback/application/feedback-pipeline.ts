/**
 * Processes feedback in batches, each in one transaction: stores the engagement of each message, suppresses addresses
 * that accept no mail, and calls the listeners. Processed feedback is retained for a time to detect duplicates, and
 * then deleted.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DAY } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { MessageEngagement } from '../../delivery/application/message-engagement.js';
import type { EmailLog } from '../../delivery/domain/email-log.js';
import { withReport } from '../../delivery/domain/engagement.js';
import { Batches } from '../../dead-letters/application/batches.js';
import type { BatchResult, ProcessBatch } from '../../dead-letters/application/work-queue.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import { addressKey } from '../../suppressions/domain/suppression.js';
import { sentStateOf, suppressionOf, interpretFeedback } from '../domain/interpret-feedback.js';
import { isDeadBySoftBounces, MAX_HISTORY_MESSAGES } from '../domain/soft-bounces.js';
import { ProviderEventDayRepository } from '../persistence/provider-event-day.repository.js';
import { FeedbackRepository, type PendingFeedback } from '../persistence/feedback.repository.js';
import { reportedKind, type ReportedDay } from '../domain/reported-events.js';
import { EmailEngagementListener, type EngagedMessage } from './email-engagement.listener.js';
import { FeedbackDeadLetters } from './feedback-dead-letters.js';

const BATCH_SIZE = 500;
/** How long processed feedback is retained: longer than any provider repeats it. */
const RETENTION_MS = 7 * DAY;
/** Milliseconds until feedback is retried that arrived before the send attempt of its message ended. */
const EARLY_RETRY_MS = 1_000;

interface MessageFeedback {
  readonly log: EmailLog;
  readonly feedback: readonly PendingFeedback[];
}

@Injectable()
export class FeedbackPipeline {
  constructor(
    private readonly database: Database,
    private readonly batches: Batches,
    private readonly deadLetters: FeedbackDeadLetters,
    private readonly feedback: FeedbackRepository,
    private readonly messages: MessageEngagement,
    private readonly suppressions: Suppressions,
    private readonly listener: EmailEngagementListener,
    private readonly days: ProviderEventDayRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Processes the tenant's feedback until none is due or `mayContinue` returns false.
   * @returns whether feedback may be left.
   */
  async processPending(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.batches.run(scope, this.deadLetters, { size: BATCH_SIZE, mayContinue }, (limit, claim) =>
      this.processBatch(scope, limit, claim),
    );
  }

  private async processBatch(
    scope: TenantScope,
    ...[limit, claim]: Parameters<ProcessBatch>
  ): Promise<BatchResult> {
    const now = this.clock.now();
    return this.database.inScope(scope, async (tx) => {
      const pending = await this.feedback.pending(tx, scope, limit, now);
      await claim(pending.map(({ id }) => id));
      if (pending.length === 0) {
        const deleted = await this.feedback.deleteExpired(tx, scope, BATCH_SIZE, now);
        return { taken: deleted, more: deleted === BATCH_SIZE };
      }
      const logs = await this.messages.lock(tx, scope, [
        ...new Set(pending.map(({ emailLogId }) => emailLogId)),
      ]);
      const inFlight = new Set(logs.flatMap((log) => (sentStateOf(log) === 'under_way' ? [log.id] : [])));
      const early = pending.flatMap(({ id, emailLogId }) => (inFlight.has(emailLogId) ? [id] : []));
      await this.apply(tx, scope, feedbackByMessage(logs, pending), now);
      await this.feedback.postpone(tx, scope, early, this.clock.afterRealTime(EARLY_RETRY_MS));
      const done = pending.flatMap(({ id, emailLogId }) => (inFlight.has(emailLogId) ? [] : [id]));
      const deleteAt = new Date(now.getTime() + RETENTION_MS);
      await this.feedback.markProcessed(tx, scope, done, { now, deleteAt });
      return { taken: pending.length, more: pending.length === limit };
    });
  }

  private async apply(
    tx: Transaction,
    scope: TenantScope,
    received: readonly MessageFeedback[],
    now: Date,
  ): Promise<void> {
    const recognised = received.filter(({ feedback }) => feedback.some(({ facts }) => facts.kind !== null));
    const proven = recognised.flatMap(({ log }) => (sentStateOf(log) === 'unproven' ? [log.id] : []));
    await this.messages.proveSent(tx, scope, proven, now);
    const engaged = recognised.map(({ log, feedback }) => engagedBy(log, feedback, now));
    const changed = engaged.filter(({ before, after }) => before !== after);
    await this.messages.store(
      tx,
      scope,
      changed.map(({ id, after }) => ({ id, engagement: after })),
    );
    await this.days.add(
      tx,
      scope,
      recognised.flatMap((one) => reportedDays(one, now)),
    );
    await this.suppress(tx, scope, recognised, changed);
    if (changed.length > 0) await this.listener.handle(tx, scope, changed, now);
  }

  /** Suppresses addresses that complained, rejected mail permanently, or bounced repeatedly. */
  private async suppress(
    tx: Transaction,
    scope: TenantScope,
    received: readonly MessageFeedback[],
    changed: readonly EngagedMessage[],
  ): Promise<void> {
    const byId = new Map(received.map((one) => [one.log.id, one]));
    const addressOf = (id: string): { email: string; isErased: boolean } | undefined => {
      const one = byId.get(id);
      const known = one?.log.toEmail;
      if (known) return { email: known, isErased: false };
      const reported = one?.feedback.flatMap(({ facts }) => facts.recipient ?? [])[0];
      return reported === undefined ? undefined : { email: reported, isErased: true };
    };
    const softBounced = changed.filter(
      ({ before, after }) => after.bounceKind === 'soft' && before.bouncedAt === null,
    );
    const dead = await this.deadBySoftBounces(tx, scope, softBounced, (id) => addressOf(id)?.email);
    const found = changed.flatMap((message) => {
      const address = addressOf(message.id);
      const cause = suppressionOf(message.before, message.after, dead.has(message.id));
      if (!address || !cause) return [];
      const { id: emailLogId, contactId } = message;
      return [{ ...address, ...cause, by: 'provider', emailLogId, contactId }];
    });
    await this.suppressions.add(tx, scope, found);
  }

  private async deadBySoftBounces(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly EngagedMessage[],
    addressOf: (id: string) => string | undefined,
  ): Promise<ReadonlySet<string>> {
    const contacts = [...new Set(messages.map(({ contactId }) => contactId))];
    const histories = await this.messages.latestOf(tx, scope, contacts, MAX_HISTORY_MESSAGES);
    const isDead = ({ id, contactId }: EngagedMessage): boolean => {
      const address = addressKey(addressOf(id) ?? '');
      return isDeadBySoftBounces(
        histories.filter(
          (message) => message.contactId === contactId && addressKey(message.toEmail ?? '') === address,
        ),
      );
    };
    return new Set(messages.flatMap((message) => (isDead(message) ? [message.id] : [])));
  }
}

/** The messages that the feedback may be about, each with its feedback in order of arrival. */
function feedbackByMessage(
  logs: readonly EmailLog[],
  pending: readonly PendingFeedback[],
): MessageFeedback[] {
  const byLog = new Map<string, PendingFeedback[]>();
  for (const feedback of pending) {
    const known = byLog.get(feedback.emailLogId);
    if (known) known.push(feedback);
    else byLog.set(feedback.emailLogId, [feedback]);
  }
  return logs.flatMap((log) => {
    const state = sentStateOf(log);
    return state === 'sent' || state === 'unproven' ? [{ log, feedback: byLog.get(log.id) ?? [] }] : [];
  });
}

function reportedDays({ log, feedback }: MessageFeedback, now: Date): ReportedDay[] {
  const day = (log.sentAt ?? now).toISOString().slice(0, 10);
  return feedback.flatMap(({ type, facts }) => {
    const kind = reportedKind(type, facts.kind, log.tracked);
    return kind === undefined ? [] : [{ kind, day }];
  });
}

function engagedBy(log: EmailLog, pending: readonly PendingFeedback[], now: Date): EngagedMessage {
  const sentAt = log.sentAt ?? now;
  const after = pending.flatMap((feedback) => interpretFeedback(feedback, log) ?? []).reduce(withReport, log);
  const { id, sourceId, contactId, contentType, origin, originId, originStep, tracked } = log;
  return {
    id,
    sourceId,
    contactId,
    contentType,
    origin,
    originId,
    originStep,
    tracked,
    sentAt,
    before: log,
    after,
  };
}
