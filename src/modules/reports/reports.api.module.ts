/** Reports with their faces. */
import { Module } from '@nestjs/common';
import { ContactActivityResolver } from './graphql/contact-activity.resolver.js';
import { EventNamesResolver } from './graphql/event-names.resolver.js';
import { AnalyticsController } from './http/analytics.controller.js';
import { ReportsModule } from './reports.module.js';

@Module({
  imports: [ReportsModule],
  controllers: [AnalyticsController],
  providers: [ContactActivityResolver, EventNamesResolver],
})
export class ReportsApiModule {}
