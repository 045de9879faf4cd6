/** The poller for events: finds the tenants with unprocessed events. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { PendingTenantsRepository } from '../persistence/pending-tenants.repository.js';
import { EVENTS_WAKE_UP } from './events.wakeup.js';

@Injectable()
export class EventsPoller implements Poller {
  readonly wakeUp = EVENTS_WAKE_UP;

  constructor(private readonly tenants: PendingTenantsRepository) {}

  async findDue(now: Date): Promise<DueWork> {
    return dueWork(await this.tenants.list(now), now);
  }
}
