/** Dead-letter handling for the queue of feedback. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkQueue } from '../../set-aside/application/work-queue.js';
import { FeedbackRepository } from '../persistence/feedback.repository.js';
import { FEEDBACK_BELL } from '../queue/feedback.jobs.js';

@Injectable()
export class WaitingFeedback implements WorkQueue {
  readonly kind = 'feedback';
  readonly bell = FEEDBACK_BELL;

  constructor(private readonly feedback: FeedbackRepository) {}

  takeOut(tx: Transaction, scope: TenantScope, id: string): Promise<boolean> {
    return this.feedback.setDue(tx, scope, id, null);
  }

  async defer(tx: Transaction, scope: TenantScope, id: string, until: Date): Promise<void> {
    await this.feedback.setDue(tx, scope, id, until);
  }

  putBack(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.feedback.setDue(tx, scope, id, now);
  }
}
