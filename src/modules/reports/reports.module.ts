/** Reports: what people ask about all the other modules' rows; read only. */
import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module.js';
import { AnalyticsExportService } from './application/analytics-export.service.js';
import { ContactActivityService } from './application/contact-activity.service.js';
import { EventNameService } from './application/event-name.service.js';
import { HomeFiguresService } from './application/home-figures.js';
import { NumberExplanations } from './application/number-explanations.js';
import { ReportAnomalies } from './application/report-anomalies.js';
import { ReportCache } from './application/report-cache.js';
import { ReportDataService } from './application/report-data.service.js';
import { ReportService } from './application/report.service.js';
import { ContactActivityRepository } from './persistence/contact-activity.repository.js';
import { EmailOutcomeRepository } from './persistence/email-outcome.repository.js';
import { EventNameRepository } from './persistence/event-name.repository.js';

@Module({
  imports: [MetricsModule],
  providers: [
    AnalyticsExportService,
    ContactActivityRepository,
    ContactActivityService,
    EmailOutcomeRepository,
    EventNameRepository,
    EventNameService,
    HomeFiguresService,
    NumberExplanations,
    ReportAnomalies,
    ReportCache,
    ReportDataService,
    ReportService,
  ],
  exports: [
    AnalyticsExportService,
    ContactActivityService,
    EventNameService,
    HomeFiguresService,
    NumberExplanations,
    ReportDataService,
    ReportService,
  ],
})
export class ReportsModule {}
