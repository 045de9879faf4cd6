/** Events: their ingestion and storage. */
import { Module } from '@nestjs/common';
import { IngestService } from './application/ingest.service.js';
import { EventRepository } from './persistence/event.repository.js';
import { LatestEventRepository } from './persistence/latest-event.repository.js';

@Module({
  providers: [EventRepository, IngestService, LatestEventRepository],
  exports: [EventRepository, IngestService, LatestEventRepository],
})
export class EventsModule {}
