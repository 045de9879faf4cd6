/** The workers that make runs, each with its queue. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { InspectJobs } from './application/inspect-jobs.js';
import { InspectRunsModule } from './inspect-runs.module.js';
import { InspectFetchRepository } from './persistence/inspect-fetch.repository.js';
import { InspectWorkRepository } from './persistence/inspect-work.repository.js';
import { FullInspectionsProcessor, InspectionsProcessor } from './queue/inspections.processor.js';
import { FullInspectionsPoller, InspectionsPoller } from './queue/inspections.poller.js';

@Module({
  imports: [InspectRunsModule],
  providers: [
    InspectFetchRepository,
    InspectJobs,
    InspectWorkRepository,
    InspectionsProcessor,
    InspectionsPoller,
  ],
})
export class InspectWorkerModule {
  constructor(sweeper: Sweeper, poller: InspectionsPoller) {
    sweeper.watch(poller);
  }
}

@Module({
  imports: [InspectRunsModule],
  providers: [
    FullInspectionsProcessor,
    FullInspectionsPoller,
    InspectFetchRepository,
    InspectJobs,
    InspectWorkRepository,
  ],
})
export class FullInspectWorkerModule {
  constructor(sweeper: Sweeper, poller: FullInspectionsPoller) {
    sweeper.watch(poller);
  }
}
