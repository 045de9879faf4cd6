/** Mails scheduled reports. */
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import { defineWork } from '../../../platform/queue/define-work.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { DeadLettersModule } from '../../dead-letters/dead-letters.module.js';
import { NoticesModule } from '../../notices/notices.module.js';
import { WorkspacesModule } from '../../workspaces/workspaces.module.js';
import { ReportEmailComposer } from '../application/report-email-composer.js';
import { ReportRunner } from '../application/report-runner.js';
import { ReportEmailRepository } from '../persistence/report-email.repository.js';
import { ReportMailingRepository } from '../persistence/report-mailing.repository.js';
import { ReportEmailsModule } from '../report-emails.module.js';
import { ReportsModule } from '../reports.module.js';

export const WORK = defineWork({
  wakeUp: WAKE_UPS.reports,
  imports: [NoticesModule, ReportEmailsModule, ReportsModule, DeadLettersModule, WorkspacesModule],
  providers: [ReportEmailComposer, ReportEmailRepository, ReportMailingRepository, ReportRunner],
  dueTenants: earliestOfTenants('FROM report_schedules WHERE look_at IS NOT NULL', 'look_at'),
  process: { with: ReportRunner, run: (runner, scope, mayContinue) => runner.run(scope, mayContinue) },
});
