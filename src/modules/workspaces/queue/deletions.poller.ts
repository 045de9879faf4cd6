/** Polls for workspaces whose deletion is due. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { DueDeletionsRepository } from '../persistence/due-deletions.repository.js';
import { DELETIONS_WAKE_UP } from './deletions.wakeup.js';

@Injectable()
export class DeletionsPoller implements Poller {
  readonly wakeUp = DELETIONS_WAKE_UP;

  constructor(private readonly workspaces: DueDeletionsRepository) {}

  async findDue(now: Date): Promise<DueWork> {
    return dueWork(await this.workspaces.list(), now);
  }
}
