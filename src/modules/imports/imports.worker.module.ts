/** The worker that imports contacts, with its queue. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { ImportWorkModule } from './import-work.module.js';
import { ImportFileRepository } from './persistence/import-file.repository.js';
import { ImportWorkRepository } from './persistence/import-work.repository.js';
import { ImportsProcessor } from './queue/imports.processor.js';
import { ImportsPoller } from './queue/imports.poller.js';

@Module({
  imports: [ImportWorkModule],
  providers: [ImportFileRepository, ImportWorkRepository, ImportsProcessor, ImportsPoller],
})
export class ImportsWorkerModule {
  constructor(sweeper: Sweeper, poller: ImportsPoller) {
    sweeper.watch(poller);
  }
}
