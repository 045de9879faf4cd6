/** The worker that updates the members of segments. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { DueSegmentsRepository } from './persistence/due-segments.repository.js';
import { SegmentsProcessor } from './queue/segments.processor.js';
import { SegmentsStage } from './queue/segments.stage.js';
import { SegmentsModule } from './segments.module.js';

@Module({ imports: [SegmentsModule], providers: [DueSegmentsRepository, SegmentsProcessor, SegmentsStage] })
export class SegmentsWorkerModule {
  constructor(sweeper: Sweeper, stage: SegmentsStage) {
    sweeper.watch(stage);
  }
}
