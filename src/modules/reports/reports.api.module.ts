/** Reports with their REST and GraphQL interfaces. */
import { Module } from '@nestjs/common';
import { ContactActivityResolver } from './graphql/contact-activity.resolver.js';
import { EventNamesResolver } from './graphql/event-names.resolver.js';
import { ReportAnalysesResolver } from './graphql/report-analyses.resolver.js';
import { ReportDataResolver } from './graphql/report-data.resolver.js';
import { ReportRecipientsResolver } from './graphql/report-recipients.resolver.js';
import { ReportSharingResolver } from './graphql/report-sharing.resolver.js';
import { ReportsResolver } from './graphql/reports.resolver.js';
import { AnalyticsController } from './http/analytics.controller.js';
import { ReportAnalysesController } from './http/report-analyses.controller.js';
import { ReportDataController } from './http/report-data.controller.js';
import { ReportPagesController } from './http/report-pages.controller.js';
import { ReportRecipientsController } from './http/report-recipients.controller.js';
import { ReportSchedulesController } from './http/report-schedules.controller.js';
import { ReportSharesController } from './http/report-shares.controller.js';
import { ReportsController } from './http/reports.controller.js';
import { ReportAnalysesModule } from './report-analyses.module.js';
import { ReportEmailsModule } from './report-emails.module.js';
import { ReportsModule } from './reports.module.js';

@Module({
  imports: [ReportAnalysesModule, ReportEmailsModule, ReportsModule],
  controllers: [
    AnalyticsController,
    ReportAnalysesController,
    ReportDataController,
    ReportPagesController,
    ReportRecipientsController,
    ReportSchedulesController,
    ReportSharesController,
    ReportsController,
  ],
  providers: [
    ContactActivityResolver,
    EventNamesResolver,
    ReportAnalysesResolver,
    ReportDataResolver,
    ReportRecipientsResolver,
    ReportSharingResolver,
    ReportsResolver,
  ],
})
export class ReportsApiModule {}
