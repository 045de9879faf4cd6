/** Events: their ingestion and storage. */
import { Module } from '@nestjs/common';
import { LimitsModule } from '../limits/limits.module.js';
import { DeadLettersModule } from '../dead-letters/dead-letters.module.js';
import { EventsOfContact } from './application/events-of-contact.js';
import { ExpiredEvents, PendingEvents } from './application/event-queues.js';
import { IngestService } from './application/ingest.service.js';
import { EventRepository } from './persistence/event.repository.js';
import { LatestEventRepository } from './persistence/latest-event.repository.js';

@Module({
  imports: [LimitsModule, DeadLettersModule],
  providers: [
    EventRepository,
    EventsOfContact,
    ExpiredEvents,
    IngestService,
    LatestEventRepository,
    PendingEvents,
  ],
  exports: [
    EventsOfContact,
    ExpiredEvents,
    IngestService,
    LatestEventRepository,
    LimitsModule,
    PendingEvents,
    DeadLettersModule,
  ],
})
export class EventsModule {}
