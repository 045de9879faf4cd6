/** The workers that make runs, each with its queue. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { InspectJobs } from './application/inspect-jobs.js';
import { InspectRunsModule } from './inspect-runs.module.js';
import { FullInspectionsProcessor, InspectionsProcessor } from './queue/inspections.processor.js';
import { FullInspectionsStage, InspectionsStage } from './queue/inspections.stage.js';

@Module({
  imports: [InspectRunsModule],
  providers: [InspectJobs, InspectionsProcessor, InspectionsStage],
})
export class InspectWorkerModule {
  constructor(sweeper: Sweeper, stage: InspectionsStage) {
    sweeper.watch(stage);
  }
}

@Module({
  imports: [InspectRunsModule],
  providers: [FullInspectionsProcessor, FullInspectionsStage, InspectJobs],
})
export class FullInspectWorkerModule {
  constructor(sweeper: Sweeper, stage: FullInspectionsStage) {
    sweeper.watch(stage);
  }
}
