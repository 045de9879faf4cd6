/** The worker that turns events into trips. */
import { Module, type OnModuleInit } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { EventsStage } from '../events/queue/events.stage.js';
import { EventsProcessor } from './queue/events.processor.js';
import { TripsModule } from './trips.module.js';

@Module({ imports: [TripsModule], providers: [EventsProcessor, EventsStage] })
export class EventsWorkerModule implements OnModuleInit {
  constructor(
    private readonly sweeper: Sweeper,
    private readonly stage: EventsStage,
  ) {}

  onModuleInit(): void {
    this.sweeper.watch(this.stage);
  }
}
