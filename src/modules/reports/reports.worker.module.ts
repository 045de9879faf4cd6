/** The worker that mails reports. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { NoticesModule } from '../notices/notices.module.js';
import { DeadLettersModule } from '../dead-letters/dead-letters.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { ReportEmailComposer } from './application/report-email-composer.js';
import { ReportRunner } from './application/report-runner.js';
import { DueSchedulesRepository } from './persistence/due-schedules.repository.js';
import { ReportEmailRepository } from './persistence/report-email.repository.js';
import { ReportMailingRepository } from './persistence/report-mailing.repository.js';
import { ReportsProcessor } from './queue/reports.processor.js';
import { ReportsPoller } from './queue/reports.poller.js';
import { ReportEmailsModule } from './report-emails.module.js';
import { ReportsModule } from './reports.module.js';

@Module({
  imports: [NoticesModule, ReportEmailsModule, ReportsModule, DeadLettersModule, WorkspacesModule],
  providers: [
    DueSchedulesRepository,
    ReportEmailComposer,
    ReportEmailRepository,
    ReportMailingRepository,
    ReportRunner,
    ReportsProcessor,
    ReportsPoller,
  ],
})
export class ReportsWorkerModule {
  constructor(sweeper: Sweeper, poller: ReportsPoller) {
    sweeper.watch(poller);
  }
}
