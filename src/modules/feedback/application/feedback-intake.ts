/**
 * Accepts feedback about messages. It is stored before the response, and deduplicated if the source sends it again.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { MessageEngagement } from '../../delivery/application/message-engagement.js';
import type { FeedbackData, ReceivedFeedback } from '../domain/feedback.js';
import { FeedbackRepository } from '../persistence/feedback.repository.js';
import { ProductMailFeedback } from './product-mail-feedback.port.js';

/** Result for a piece of feedback: accepted, a duplicate, or not about one of our messages. */
export type Intake = 'taken' | 'known' | 'unmatched';

@Injectable()
export class FeedbackIntake {
  constructor(
    private readonly messages: MessageEngagement,
    private readonly feedback: FeedbackRepository,
    private readonly productMail: ProductMailFeedback,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Stores feedback about the first of the candidates that is one of our messages. If none is, the feedback is
   * dropped: a message is in the ledger before it is sent, so it cannot match later. Feedback on the product's own
   * mail is processed immediately.
   */
  async accept(candidates: readonly string[], received: ReceivedFeedback): Promise<Intake> {
    const found = candidates.length > 0 ? await this.messages.tenantsOf(candidates) : [];
    const message = candidates.flatMap((id) => found.find((one) => one.id === id) ?? [])[0];
    const intake = message
      ? await this.store(message, message.id, received)
      : await this.acceptForProductMail(candidates, received.facts);
    this.metrics.feedback.inc({ kind: received.facts.kind ?? 'other', outcome: intake });
    return intake;
  }

  private async acceptForProductMail(candidates: readonly string[], facts: FeedbackData): Promise<Intake> {
    if (candidates.length === 0) return 'unmatched';
    return (await this.productMail.handle(candidates, facts)) ? 'taken' : 'unmatched';
  }

  /** Stores feedback about a message that is known to be the tenant's. */
  async acceptForMessage(
    scope: TenantScope,
    emailLogId: string,
    received: ReceivedFeedback,
  ): Promise<Intake> {
    const intake = await this.store(scope, emailLogId, received);
    this.metrics.feedback.inc({ kind: received.facts.kind ?? 'other', outcome: intake });
    return intake;
  }

  private async store(
    scope: TenantScope,
    emailLogId: string,
    { key, type, facts, happenedAt: reportedAt }: ReceivedFeedback,
  ): Promise<Intake> {
    const now = this.clock.now();
    const moment = reportedAt === undefined ? now : this.clock.momentAt(reportedAt);
    const happenedAt = moment < now ? moment : now;
    const pending = { id: uuidv7(now.getTime()), key, type, emailLogId, facts, happenedAt };
    const isNew = await this.feedback.insert(scope, pending, now);
    if (isNew) this.dispatcher.wake(WAKE_UPS.feedback, scope);
    return isNew ? 'taken' : 'known';
  }
}
