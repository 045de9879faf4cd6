/** Events: their ingestion and storage. */
import { Module } from '@nestjs/common';
import { IngestService } from './application/ingest.service.js';
import { EventRepository } from './persistence/event.repository.js';

@Module({ providers: [EventRepository, IngestService], exports: [EventRepository, IngestService] })
export class EventsModule {}
