/** The poller for the product's own mail: finds the workspaces that have mail to send. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { DueNoticesRepository } from '../persistence/due-notices.repository.js';
import { NOTICES_WAKE_UP } from './notices.wakeup.js';

@Injectable()
export class NoticesPoller implements Poller {
  readonly wakeUp = NOTICES_WAKE_UP;

  constructor(private readonly notices: DueNoticesRepository) {}

  async findDue(now: Date): Promise<DueWork> {
    return dueWork(await this.notices.list(), now);
  }
}
