/** Events: their ingestion and storage. */
import { Module } from '@nestjs/common';
import { IngestService } from './application/ingest.service.js';
import { EventRepository } from './persistence/event.repository.js';
import { LatestEventsRepository } from './persistence/latest-events.repository.js';

@Module({
  providers: [EventRepository, IngestService, LatestEventsRepository],
  exports: [EventRepository, IngestService, LatestEventsRepository],
})
export class EventsModule {}
