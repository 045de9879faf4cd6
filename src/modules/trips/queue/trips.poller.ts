/** Finds tenants with due trips or sweeps, and when the next one is due. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { DueTripsRepository } from '../persistence/due-trips.repository.js';
import { TRIPS_WAKE_UP } from './trips.wakeup.js';

@Injectable()
export class TripsPoller implements Poller {
  readonly wakeUp = TRIPS_WAKE_UP;

  constructor(private readonly trips: DueTripsRepository) {}

  async findDue(now: Date): Promise<DueWork> {
    return dueWork(await this.trips.list(), now);
  }
}
