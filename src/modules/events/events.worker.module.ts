/** The worker that processes accepted events. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { EventPipeline } from './application/event-pipeline.js';
import { EventsModule } from './events.module.js';
import { EventRepository } from './persistence/event.repository.js';
import { LatestEventRepository } from './persistence/latest-event.repository.js';
import { PendingTenantsRepository } from './persistence/pending-tenants.repository.js';
import { EventsProcessor } from './queue/events.processor.js';
import { EventsPoller } from './queue/events.poller.js';

@Module({
  imports: [ContactsModule, EventsModule, WorkspacesModule],
  providers: [
    EventPipeline,
    EventRepository,
    EventsProcessor,
    EventsPoller,
    LatestEventRepository,
    PendingTenantsRepository,
  ],
})
export class EventsWorkerModule {
  constructor(sweeper: Sweeper, poller: EventsPoller) {
    sweeper.watch(poller);
  }
}
