/** The worker that adds deltas to rollups. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { MetricsModule } from './metrics.module.js';
import { TenantsWithDeltasRepository } from './persistence/tenants-with-deltas.repository.js';
import { MetricsProcessor } from './queue/metrics.processor.js';
import { MetricsPoller } from './queue/metrics.poller.js';

@Module({
  imports: [MetricsModule],
  providers: [MetricsProcessor, MetricsPoller, TenantsWithDeltasRepository],
})
export class MetricsWorkerModule {
  constructor(sweeper: Sweeper, poller: MetricsPoller) {
    sweeper.watch(poller);
  }
}
