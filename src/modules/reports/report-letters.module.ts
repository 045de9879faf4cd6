/** Report emails, for the modules that send them, dead-letter them, or change when they are sent. */
import { Module } from '@nestjs/common';
import { NoticesModule } from '../notices/notices.module.js';
import { SetAsideModule } from '../set-aside/set-aside.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { DueSchedules } from './application/due-schedules.js';
import { RecipientDecisions } from './application/recipient-decisions.js';
import { RecipientLinks } from './application/recipient-links.js';
import { ReportLetters } from './application/report-letters.js';
import { ScheduleChanges } from './application/schedule-changes.js';
import { ScheduleRecipients } from './application/schedule-recipients.js';
import { ReportLetterRepository } from './persistence/report-letter.repository.js';
import { ReportMailingRepository } from './persistence/report-mailing.repository.js';
import { ReportRecipientRepository } from './persistence/report-recipient.repository.js';

const OFFERED = [DueSchedules, RecipientDecisions, ReportLetters, ScheduleChanges, ScheduleRecipients];

@Module({
  imports: [NoticesModule, SetAsideModule, SuppressionsModule, WorkspacesModule],
  providers: [
    RecipientLinks,
    ReportLetterRepository,
    ReportMailingRepository,
    ReportRecipientRepository,
    ...OFFERED,
  ],
  exports: OFFERED,
})
export class ReportLettersModule {}
