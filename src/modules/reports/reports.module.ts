/** Reports: saved queries over the rows of all other modules. */
import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module.js';
import { ReportEmailsModule } from './report-emails.module.js';
import { AnalyticsExportService } from './application/analytics-export.service.js';
import { ContactActivityService } from './application/contact-activity.service.js';
import { EventNameService } from './application/event-name.service.js';
import { HomeMetricsService } from './application/home-metrics.js';
import { NumberExplanations } from './application/number-explanations.js';
import { ReportAnomalies } from './application/report-anomalies.js';
import { ReportCache } from './application/report-cache.js';
import { ReportDataService } from './application/report-data.service.js';
import { ReportService } from './application/report.service.js';
import { ReportSchedules } from './application/report-schedules.service.js';
import { ReportShares } from './application/report-shares.service.js';
import { StoredReports } from './application/stored-reports.js';
import { ContactActivityRepository } from './persistence/contact-activity.repository.js';
import { EmailOutcomeRepository } from './persistence/email-outcome.repository.js';
import { EventNameRepository } from './persistence/event-name.repository.js';
import { ReportRepository } from './persistence/report.repository.js';
import { ReportScheduleRepository } from './persistence/report-schedule.repository.js';
import { ReportShareRepository } from './persistence/report-share.repository.js';

@Module({
  imports: [MetricsModule, ReportEmailsModule],
  providers: [
    AnalyticsExportService,
    ContactActivityRepository,
    ContactActivityService,
    EmailOutcomeRepository,
    EventNameRepository,
    EventNameService,
    HomeMetricsService,
    NumberExplanations,
    ReportAnomalies,
    ReportCache,
    ReportDataService,
    ReportService,
    ReportRepository,
    ReportScheduleRepository,
    ReportSchedules,
    ReportShareRepository,
    ReportShares,
    StoredReports,
  ],
  exports: [
    AnalyticsExportService,
    ContactActivityService,
    EventNameService,
    HomeMetricsService,
    NumberExplanations,
    ReportDataService,
    ReportService,
    ReportSchedules,
    ReportShares,
  ],
})
export class ReportsModule {}
