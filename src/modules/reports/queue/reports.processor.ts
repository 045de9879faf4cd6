/** Handles the wake-up jobs of scheduled reports. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { ReportRunner } from '../application/report-runner.js';
import { REPORTS_WAKE_UP } from './reports.wakeup.js';

@Processor(REPORTS_WAKE_UP.queue, WORKER_OPTIONS)
export class ReportsProcessor extends WakeUpProcessor {
  constructor(
    private readonly runner: ReportRunner,
    tools: WakeUpTools,
  ) {
    super(REPORTS_WAKE_UP, tools);
  }

  protected override work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.runner.run(scope, mayContinue);
  }
}
