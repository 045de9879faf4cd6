/** Dead-letter handling for the queue of feedback. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import type { WorkQueue } from '../../dead-letters/application/work-queue.js';
import { FeedbackRepository } from '../persistence/feedback.repository.js';

@Injectable()
export class FeedbackDeadLetters implements WorkQueue {
  readonly kind = 'feedback';
  readonly wakeUp = WAKE_UPS.feedback;

  constructor(private readonly feedback: FeedbackRepository) {}

  dequeue(tx: Transaction, scope: TenantScope, id: string): Promise<boolean> {
    return this.feedback.setDue(tx, scope, id, null);
  }

  async defer(tx: Transaction, scope: TenantScope, id: string, until: Date): Promise<void> {
    await this.feedback.setDue(tx, scope, id, until);
  }

  requeue(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.feedback.setDue(tx, scope, id, now);
  }
}
