/** The worker that deletes events after their retention. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { RetentionService } from './application/retention.service.js';
import { EventsModule } from './events.module.js';
import { EventRepository } from './persistence/event.repository.js';
import { ExpiringTenantsRepository } from './persistence/expiring-tenants.repository.js';
import { RetentionProcessor } from './queue/retention.processor.js';
import { RetentionPoller } from './queue/retention.poller.js';

@Module({
  imports: [EventsModule, WorkspacesModule],
  providers: [
    EventRepository,
    ExpiringTenantsRepository,
    RetentionProcessor,
    RetentionService,
    RetentionPoller,
  ],
})
export class RetentionWorkerModule {
  constructor(sweeper: Sweeper, poller: RetentionPoller) {
    sweeper.watch(poller);
  }
}
