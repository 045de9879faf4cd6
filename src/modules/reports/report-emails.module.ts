/** Report emails, for the modules that send them, dead-letter them, or change when they are sent. */
import { Module } from '@nestjs/common';
import { NoticesModule } from '../notices/notices.module.js';
import { DeadLettersModule } from '../dead-letters/dead-letters.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { DueSchedules } from './application/due-schedules.js';
import { RecipientDecisions } from './application/recipient-decisions.js';
import { RecipientLinks } from './application/recipient-links.js';
import { ReportEmailLoader } from './application/report-email-loader.js';
import { ScheduleChanges } from './application/schedule-changes.js';
import { ScheduleRecipients } from './application/schedule-recipients.js';
import { ReportEmailRepository } from './persistence/report-email.repository.js';
import { ReportMailingRepository } from './persistence/report-mailing.repository.js';
import { ReportRecipientRepository } from './persistence/report-recipient.repository.js';

const EXPORTED_PROVIDERS = [
  DueSchedules,
  RecipientDecisions,
  ReportEmailLoader,
  ScheduleChanges,
  ScheduleRecipients,
];

@Module({
  imports: [NoticesModule, DeadLettersModule, SuppressionsModule, WorkspacesModule],
  providers: [
    RecipientLinks,
    ReportEmailRepository,
    ReportMailingRepository,
    ReportRecipientRepository,
    ...EXPORTED_PROVIDERS,
  ],
  exports: EXPORTED_PROVIDERS,
})
export class ReportEmailsModule {}
