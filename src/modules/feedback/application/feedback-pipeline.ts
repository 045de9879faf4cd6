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
import { withWord } from '../../delivery/domain/engagement.js';
import { Batches } from '../../set-aside/application/batches.js';
import type { BatchDone, DoBatch } from '../../set-aside/application/do-batch.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import { addressKey } from '../../suppressions/domain/suppression.js';
import { standingOf, suppressionOf, wordOf } from '../domain/heard.js';
import { isDeadBySoftBounces, STORY_LENGTH } from '../domain/soft-bounces.js';
import { ProviderEventDayRepository } from '../persistence/provider-event-day.repository.js';
import { FeedbackRepository, type PendingFeedback } from '../persistence/feedback.repository.js';
import { reportedKind, type ReportedDay } from '../domain/reported-events.js';
import { EmailEngagementListener, type EngagedMessage } from './email-engagement.listener.js';
import { WaitingFeedback } from './waiting-feedback.js';

const BATCH = 500;
/** How long processed feedback is retained: longer than any provider repeats it. */
const KNOWN_FOR = 7 * DAY;
/** Milliseconds until feedback is retried that arrived before the send attempt of its message ended. */
const NEXT_LOOK = 1_000;

interface Heard {
  readonly log: EmailLog;
  readonly words: readonly PendingFeedback[];
}

@Injectable()
export class FeedbackPipeline {
  constructor(
    private readonly database: Database,
    private readonly batches: Batches,
    private readonly queue: WaitingFeedback,
    private readonly feedback: FeedbackRepository,
    private readonly messages: MessageEngagement,
    private readonly suppressions: Suppressions,
    private readonly listener: EmailEngagementListener,
    private readonly days: ProviderEventDayRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Processes the tenant's feedback until none is due or `mayGoOn` returns false.
   * @returns whether feedback may be left.
   */
  async processPending(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.batches.run(scope, this.queue, { size: BATCH, mayGoOn }, (limit, hold) =>
      this.processBatch(scope, limit, hold),
    );
  }

  private async processBatch(scope: TenantScope, ...[limit, hold]: Parameters<DoBatch>): Promise<BatchDone> {
    const now = this.clock.now();
    return this.database.inScope(scope, async (tx) => {
      const words = await this.feedback.pending(tx, scope, limit, now);
      await hold(words.map(({ id }) => id));
      if (words.length === 0) {
        const forgotten = await this.feedback.forget(tx, scope, BATCH, now);
        return { taken: forgotten, more: forgotten === BATCH };
      }
      const logs = await this.messages.lock(tx, scope, [
        ...new Set(words.map(({ emailLogId }) => emailLogId)),
      ]);
      const underWay = new Set(logs.flatMap((log) => (standingOf(log) === 'under_way' ? [log.id] : [])));
      const later = words.flatMap(({ id, emailLogId }) => (underWay.has(emailLogId) ? [id] : []));
      await this.hear(tx, scope, heardOf(logs, words), now);
      await this.feedback.putOff(tx, scope, later, this.clock.afterRealTime(NEXT_LOOK));
      const done = words.flatMap(({ id, emailLogId }) => (underWay.has(emailLogId) ? [] : [id]));
      const forgetAt = new Date(now.getTime() + KNOWN_FOR);
      await this.feedback.markProcessed(tx, scope, done, { now, forgetAt });
      return { taken: words.length, more: words.length === limit };
    });
  }

  private async hear(tx: Transaction, scope: TenantScope, heard: readonly Heard[], now: Date): Promise<void> {
    const told = heard.filter(({ words }) => words.some(({ facts }) => facts.kind !== null));
    const proven = told.flatMap(({ log }) => (standingOf(log) === 'unproven' ? [log.id] : []));
    await this.messages.proveSent(tx, scope, proven, now);
    const engaged = told.map(({ log, words }) => engagedBy(log, words, now));
    const changed = engaged.filter(({ before, after }) => before !== after);
    await this.messages.store(
      tx,
      scope,
      changed.map(({ id, after }) => ({ id, engagement: after })),
    );
    await this.days.add(
      tx,
      scope,
      told.flatMap((one) => reportedDays(one, now)),
    );
    await this.suppress(tx, scope, told, changed);
    if (changed.length > 0) await this.listener.hear(tx, scope, changed, now);
  }

  /** Suppresses addresses that complained, rejected mail permanently, or bounced repeatedly. */
  private async suppress(
    tx: Transaction,
    scope: TenantScope,
    heard: readonly Heard[],
    changed: readonly EngagedMessage[],
  ): Promise<void> {
    const byId = new Map(heard.map((one) => [one.log.id, one]));
    const addressOf = (id: string): { email: string; isErased: boolean } | undefined => {
      const one = byId.get(id);
      const known = one?.log.toEmail;
      if (known) return { email: known, isErased: false };
      const told = one?.words.flatMap(({ facts }) => facts.recipient ?? [])[0];
      return told === undefined ? undefined : { email: told, isErased: true };
    };
    const softly = changed.filter(
      ({ before, after }) => after.bounceKind === 'soft' && before.bouncedAt === null,
    );
    const dead = await this.deadBySoftBounces(tx, scope, softly, (id) => addressOf(id)?.email);
    const found = changed.flatMap((message) => {
      const address = addressOf(message.id);
      const why = suppressionOf(message.before, message.after, dead.has(message.id));
      if (!address || !why) return [];
      const { id: emailLogId, contactId } = message;
      return [{ ...address, ...why, by: 'provider', emailLogId, contactId }];
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
    const stories = await this.messages.latestOf(tx, scope, contacts, STORY_LENGTH);
    const isDead = ({ id, contactId }: EngagedMessage): boolean => {
      const address = addressKey(addressOf(id) ?? '');
      return isDeadBySoftBounces(
        stories.filter((told) => told.contactId === contactId && addressKey(told.toEmail ?? '') === address),
      );
    };
    return new Set(messages.flatMap((message) => (isDead(message) ? [message.id] : [])));
  }
}

/** The messages that the feedback may be about, each with its feedback in order of arrival. */
function heardOf(logs: readonly EmailLog[], words: readonly PendingFeedback[]): Heard[] {
  const byLog = new Map<string, PendingFeedback[]>();
  for (const word of words) {
    const known = byLog.get(word.emailLogId);
    if (known) known.push(word);
    else byLog.set(word.emailLogId, [word]);
  }
  return logs.flatMap((log) => {
    const standing = standingOf(log);
    return standing === 'sent' || standing === 'unproven' ? [{ log, words: byLog.get(log.id) ?? [] }] : [];
  });
}

function reportedDays({ log, words }: Heard, now: Date): ReportedDay[] {
  const day = (log.sentAt ?? now).toISOString().slice(0, 10);
  return words.flatMap(({ type, facts }) => {
    const kind = reportedKind(type, facts.kind, log.tracked);
    return kind === undefined ? [] : [{ kind, day }];
  });
}

function engagedBy(log: EmailLog, words: readonly PendingFeedback[], now: Date): EngagedMessage {
  const sentAt = log.sentAt ?? now;
  const after = words.flatMap((word) => wordOf(word, log) ?? []).reduce(withWord, log);
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
