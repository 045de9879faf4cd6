/** The worker that checks the records of domains periodically. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { DomainsModule } from './domains.module.js';
import { DueDomainsRepository } from './persistence/due-domains.repository.js';
import { DomainsProcessor } from './queue/domains.processor.js';
import { DomainsPoller } from './queue/domains.poller.js';

@Module({ imports: [DomainsModule], providers: [DomainsProcessor, DomainsPoller, DueDomainsRepository] })
export class DomainsWorkerModule {
  constructor(sweeper: Sweeper, poller: DomainsPoller) {
    sweeper.watch(poller);
  }
}
