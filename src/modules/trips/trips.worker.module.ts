/** The worker that advances due trips. */
import { Module, type OnModuleInit } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { DueTripsRepository } from './persistence/due-trips.repository.js';
import { TripsProcessor } from './queue/trips.processor.js';
import { TripsPoller } from './queue/trips.poller.js';
import { TripsModule } from './trips.module.js';

@Module({ imports: [TripsModule], providers: [DueTripsRepository, TripsProcessor, TripsPoller] })
export class TripsWorkerModule implements OnModuleInit {
  constructor(
    private readonly sweeper: Sweeper,
    private readonly poller: TripsPoller,
  ) {}

  onModuleInit(): void {
    this.sweeper.watch(this.poller);
  }
}
