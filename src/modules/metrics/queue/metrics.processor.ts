/** Handles the wake-up jobs of rollups. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { Rollups } from '../application/rollups.js';
import { METRICS_BELL } from './metrics.jobs.js';

@Processor(METRICS_BELL.queue, { ...WORKER_OPTIONS, concurrency: 1 })
export class MetricsProcessor extends BellProcessor {
  constructor(
    private readonly rollups: Rollups,
    tools: BellTools,
  ) {
    super(METRICS_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.rollups.fold(scope, mayGoOn);
  }
}
