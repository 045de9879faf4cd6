/** The worker that adds deltas to rollups. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { MetricsModule } from './metrics.module.js';
import { NotedTenantsRepository } from './persistence/noted-tenants.repository.js';
import { MetricsProcessor } from './queue/metrics.processor.js';
import { MetricsStage } from './queue/metrics.stage.js';

@Module({
  imports: [MetricsModule],
  providers: [MetricsProcessor, MetricsStage, NotedTenantsRepository],
})
export class MetricsWorkerModule {
  constructor(sweeper: Sweeper, stage: MetricsStage) {
    sweeper.watch(stage);
  }
}
