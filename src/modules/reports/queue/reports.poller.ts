/** The poller that finds tenants with reports to mail. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { DueSchedulesRepository } from '../persistence/due-schedules.repository.js';
import { REPORTS_WAKE_UP } from './reports.wakeup.js';

@Injectable()
export class ReportsPoller implements Poller {
  readonly wakeUp = REPORTS_WAKE_UP;

  constructor(private readonly schedules: DueSchedulesRepository) {}

  async findDue(now: Date): Promise<DueWork> {
    return dueWork(await this.schedules.list(), now);
  }
}
