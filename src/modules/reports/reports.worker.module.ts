/** The worker that mails reports. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { NoticesModule } from '../notices/notices.module.js';
import { SetAsideModule } from '../set-aside/set-aside.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { LetterComposer } from './application/letter-composer.js';
import { ReportRunner } from './application/report-runner.js';
import { DueSchedulesRepository } from './persistence/due-schedules.repository.js';
import { ReportLetterRepository } from './persistence/report-letter.repository.js';
import { ReportMailingRepository } from './persistence/report-mailing.repository.js';
import { ReportsProcessor } from './queue/reports.processor.js';
import { ReportsStage } from './queue/reports.stage.js';
import { ReportLettersModule } from './report-letters.module.js';
import { ReportsModule } from './reports.module.js';

@Module({
  imports: [NoticesModule, ReportLettersModule, ReportsModule, SetAsideModule, WorkspacesModule],
  providers: [
    DueSchedulesRepository,
    LetterComposer,
    ReportLetterRepository,
    ReportMailingRepository,
    ReportRunner,
    ReportsProcessor,
    ReportsStage,
  ],
})
export class ReportsWorkerModule {
  constructor(sweeper: Sweeper, stage: ReportsStage) {
    sweeper.watch(stage);
  }
}
