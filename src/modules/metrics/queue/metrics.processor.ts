/** Handles the wake-up jobs of rollups. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { Rollups } from '../application/rollups.js';
import { METRICS_WAKE_UP } from './metrics.wakeup.js';

@Processor(METRICS_WAKE_UP.queue, { ...WORKER_OPTIONS, concurrency: 1 })
export class MetricsProcessor extends WakeUpProcessor {
  constructor(
    private readonly rollups: Rollups,
    tools: WakeUpTools,
  ) {
    super(METRICS_WAKE_UP, tools);
  }

  protected override work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.rollups.fold(scope, mayContinue);
  }
}
