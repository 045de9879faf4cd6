/**
 * Accepts feedback about messages. It is stored before the response, and deduplicated if the source sends it again.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { MessageEngagement } from '../../delivery/application/message-engagement.js';
import type { FeedbackFacts, ReceivedFeedback } from '../domain/feedback.js';
import { FeedbackRepository } from '../persistence/feedback.repository.js';
import { FEEDBACK_BELL } from '../queue/feedback.jobs.js';
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
  async take(candidates: readonly string[], received: ReceivedFeedback): Promise<Intake> {
    const found = candidates.length > 0 ? await this.messages.tenantsOf(candidates) : [];
    const message = candidates.flatMap((id) => found.find((one) => one.id === id) ?? [])[0];
    const intake = message
      ? await this.store(message, message.id, received)
      : await this.takeOfProduct(candidates, received.facts);
    this.metrics.feedback.inc({ kind: received.facts.kind ?? 'other', outcome: intake });
    return intake;
  }

  private async takeOfProduct(candidates: readonly string[], facts: FeedbackFacts): Promise<Intake> {
    if (candidates.length === 0) return 'unmatched';
    return (await this.productMail.take(candidates, facts)) ? 'taken' : 'unmatched';
  }

  /** Stores feedback about a message that is known to be the tenant's. */
  async takeOf(scope: TenantScope, emailLogId: string, word: ReceivedFeedback): Promise<Intake> {
    const intake = await this.store(scope, emailLogId, word);
    this.metrics.feedback.inc({ kind: word.facts.kind ?? 'other', outcome: intake });
    return intake;
  }

  private async store(
    scope: TenantScope,
    emailLogId: string,
    { key, type, facts, happenedAt: told }: ReceivedFeedback,
  ): Promise<Intake> {
    const now = this.clock.now();
    const moment = told === undefined ? now : this.clock.momentAt(told);
    const happenedAt = moment < now ? moment : now;
    const word = { id: uuidv7(now.getTime()), key, type, emailLogId, facts, happenedAt };
    const isNew = await this.feedback.insert(scope, word, now);
    if (isNew) this.dispatcher.ring(FEEDBACK_BELL, scope);
    return isNew ? 'taken' : 'known';
  }
}
