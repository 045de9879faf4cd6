/** Finds the workspaces that have mail of the product's own to be sent. */
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
