/** The poller for events: finds the tenants with unprocessed events. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { PendingTenantsRepository } from '../persistence/pending-tenants.repository.js';
import { EVENTS_BELL } from './events.jobs.js';

@Injectable()
export class EventsStage implements Stage {
  readonly bell = EVENTS_BELL;

  constructor(private readonly tenants: PendingTenantsRepository) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.tenants.list(now), now);
  }
}
