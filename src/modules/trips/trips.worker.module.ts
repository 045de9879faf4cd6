/** The worker that advances due trips. */
import { Module, type OnModuleInit } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { DueTripsRepository } from './persistence/due-trips.repository.js';
import { TripsProcessor } from './queue/trips.processor.js';
import { TripsStage } from './queue/trips.stage.js';
import { TripsModule } from './trips.module.js';

@Module({ imports: [TripsModule], providers: [DueTripsRepository, TripsProcessor, TripsStage] })
export class TripsWorkerModule implements OnModuleInit {
  constructor(
    private readonly sweeper: Sweeper,
    private readonly stage: TripsStage,
  ) {}

  onModuleInit(): void {
    this.sweeper.watch(this.stage);
  }
}
