/** The poller that finds tenants with reports to mail. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { DueSchedulesRepository } from '../persistence/due-schedules.repository.js';
import { REPORTS_BELL } from './reports.jobs.js';

@Injectable()
export class ReportsStage implements Stage {
  readonly bell = REPORTS_BELL;

  constructor(private readonly schedules: DueSchedulesRepository) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.schedules.list(), now);
  }
}
