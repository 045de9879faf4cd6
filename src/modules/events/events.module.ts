/** Events: their ingestion and storage. */
import { Module } from '@nestjs/common';
import { LimitsModule } from '../limits/limits.module.js';
import { IngestService } from './application/ingest.service.js';
import { LatestEvents } from './application/latest-events.js';
import { EventRepository } from './persistence/event.repository.js';
import { LatestEventRepository } from './persistence/latest-event.repository.js';

@Module({
  imports: [LimitsModule],
  providers: [EventRepository, IngestService, LatestEventRepository, LatestEvents],
  exports: [EventRepository, IngestService, LatestEventRepository, LatestEvents, LimitsModule],
})
export class EventsModule {}
