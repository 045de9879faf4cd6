/** Reports with their faces. */
import { Module } from '@nestjs/common';
import { ContactActivityResolver } from './graphql/contact-activity.resolver.js';
import { EventNamesResolver } from './graphql/event-names.resolver.js';
import { AnalyticsController } from './http/analytics.controller.js';
import { ReportAnalysesResolver } from './graphql/report-analyses.resolver.js';
import { ReportAnalysesController } from './http/report-analyses.controller.js';
import { ReportAnalysesModule } from './report-analyses.module.js';
import { ReportsModule } from './reports.module.js';

@Module({
  imports: [ReportAnalysesModule, ReportsModule],
  controllers: [AnalyticsController, ReportAnalysesController],
  providers: [ContactActivityResolver, EventNamesResolver, ReportAnalysesResolver],
})
export class ReportsApiModule {}
