/** Reports: what people ask about all the other modules' rows; read only. */
import { Module } from '@nestjs/common';
import { AnalyticsExportService } from './application/analytics-export.service.js';
import { ContactActivityService } from './application/contact-activity.service.js';
import { EventNameService } from './application/event-name.service.js';
import { ContactActivityRepository } from './persistence/contact-activity.repository.js';
import { EmailOutcomeRepository } from './persistence/email-outcome.repository.js';
import { EventNameRepository } from './persistence/event-name.repository.js';

@Module({
  providers: [
    AnalyticsExportService,
    ContactActivityRepository,
    ContactActivityService,
    EmailOutcomeRepository,
    EventNameRepository,
    EventNameService,
  ],
  exports: [AnalyticsExportService, ContactActivityService, EventNameService],
})
export class ReportsModule {}
