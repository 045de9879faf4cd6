/** The workers that make runs, each with its queue. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { InspectJobs } from './application/inspect-jobs.js';
import { InspectRunsModule } from './inspect-runs.module.js';
import { InspectFetchRepository } from './persistence/inspect-fetch.repository.js';
import { InspectWorkRepository } from './persistence/inspect-work.repository.js';
import { FullInspectionsProcessor, InspectionsProcessor } from './queue/inspections.processor.js';
import { FullInspectionsStage, InspectionsStage } from './queue/inspections.stage.js';

@Module({
  imports: [InspectRunsModule],
  providers: [
    InspectFetchRepository,
    InspectJobs,
    InspectWorkRepository,
    InspectionsProcessor,
    InspectionsStage,
  ],
})
export class InspectWorkerModule {
  constructor(sweeper: Sweeper, stage: InspectionsStage) {
    sweeper.watch(stage);
  }
}

@Module({
  imports: [InspectRunsModule],
  providers: [
    FullInspectionsProcessor,
    FullInspectionsStage,
    InspectFetchRepository,
    InspectJobs,
    InspectWorkRepository,
  ],
})
export class FullInspectWorkerModule {
  constructor(sweeper: Sweeper, stage: FullInspectionsStage) {
    sweeper.watch(stage);
  }
}
