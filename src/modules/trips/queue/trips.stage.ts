/** Finds tenants with due trips or sweeps, and when the next one is due. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { DueTripsRepository } from '../persistence/due-trips.repository.js';
import { TRIPS_BELL } from './trips.jobs.js';

@Injectable()
export class TripsStage implements Stage {
  readonly bell = TRIPS_BELL;

  constructor(private readonly trips: DueTripsRepository) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.trips.list(), now);
  }
}
