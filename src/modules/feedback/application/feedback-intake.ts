/** Takes word of messages in: durable before it is answered, once however often it is told. */
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

/** What became of word: taken, known already, or about no message of ours. */
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
   * Stores word of the first of the candidates that is a message of ours. Word of none is not kept: a message is in the
   * ledger before it leaves, so nobody will know it later. Mail of the product's own is handled at once.
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

  /** Stores word of a message that is known to be the tenant's. */
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
