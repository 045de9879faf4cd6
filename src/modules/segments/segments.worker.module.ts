/** The worker that updates the members of segments. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { DueSegmentsRepository } from './persistence/due-segments.repository.js';
import { SegmentsProcessor } from './queue/segments.processor.js';
import { SegmentsPoller } from './queue/segments.poller.js';
import { SegmentsModule } from './segments.module.js';

@Module({ imports: [SegmentsModule], providers: [DueSegmentsRepository, SegmentsProcessor, SegmentsPoller] })
export class SegmentsWorkerModule {
  constructor(sweeper: Sweeper, poller: SegmentsPoller) {
    sweeper.watch(poller);
  }
}
