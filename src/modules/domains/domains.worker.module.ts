/** The worker that checks the records of domains periodically. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { DomainsModule } from './domains.module.js';
import { DueDomainsRepository } from './persistence/due-domains.repository.js';
import { DomainsProcessor } from './queue/domains.processor.js';
import { DomainsStage } from './queue/domains.stage.js';

@Module({ imports: [DomainsModule], providers: [DomainsProcessor, DomainsStage, DueDomainsRepository] })
export class DomainsWorkerModule {
  constructor(sweeper: Sweeper, stage: DomainsStage) {
    sweeper.watch(stage);
  }
}
