/** Polls for tenants with feedback to process or delete. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { DueFeedbackRepository } from '../persistence/due-feedback.repository.js';
import { FEEDBACK_WAKE_UP } from './feedback.wakeup.js';

@Injectable()
export class FeedbackPoller implements Poller {
  readonly wakeUp = FEEDBACK_WAKE_UP;

  constructor(private readonly tenants: DueFeedbackRepository) {}

  async findDue(now: Date): Promise<DueWork> {
    return dueWork(await this.tenants.list(), now);
  }
}
