/** The poller for the product's own mail: finds the workspaces that have mail to send. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { DueNoticesRepository } from '../persistence/due-notices.repository.js';
import { NOTICES_BELL } from './notices.jobs.js';

@Injectable()
export class NoticesStage implements Stage {
  readonly bell = NOTICES_BELL;

  constructor(private readonly notices: DueNoticesRepository) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.notices.list(), now);
  }
}
