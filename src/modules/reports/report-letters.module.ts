/** What the mail of reports is made of, for whoever sends it, sets it aside, or changes when it goes. */
import { Module } from '@nestjs/common';
import { NoticesModule } from '../notices/notices.module.js';
import { SetAsideModule } from '../set-aside/set-aside.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { DueSchedules } from './application/due-schedules.js';
import { ReportLetters } from './application/report-letters.js';
import { ScheduleChanges } from './application/schedule-changes.js';
import { ReportLetterRepository } from './persistence/report-letter.repository.js';
import { ReportMailingRepository } from './persistence/report-mailing.repository.js';

const OFFERED = [DueSchedules, ReportLetters, ScheduleChanges];

@Module({
  imports: [NoticesModule, SetAsideModule, WorkspacesModule],
  providers: [ReportLetterRepository, ReportMailingRepository, ...OFFERED],
  exports: OFFERED,
})
export class ReportLettersModule {}
