/** Polls for workspaces whose deletion is due. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { DueDeletionsRepository } from '../persistence/due-deletions.repository.js';
import { DELETIONS_BELL } from './deletions.jobs.js';

@Injectable()
export class DeletionsStage implements Stage {
  readonly bell = DELETIONS_BELL;

  constructor(private readonly workspaces: DueDeletionsRepository) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.workspaces.list(), now);
  }
}
