/** Polls for tenants with feedback to process or delete. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { DueFeedbackRepository } from '../persistence/due-feedback.repository.js';
import { FEEDBACK_BELL } from './feedback.jobs.js';

@Injectable()
export class FeedbackStage implements Stage {
  readonly bell = FEEDBACK_BELL;

  constructor(private readonly tenants: DueFeedbackRepository) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.tenants.list(), now);
  }
}
