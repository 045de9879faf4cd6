/** Handles the wake-up jobs of scheduled reports. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { ReportRunner } from '../application/report-runner.js';
import { REPORTS_BELL } from './reports.jobs.js';

@Processor(REPORTS_BELL.queue, WORKER_OPTIONS)
export class ReportsProcessor extends BellProcessor {
  constructor(
    private readonly runner: ReportRunner,
    tools: BellTools,
  ) {
    super(REPORTS_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.runner.run(scope, mayGoOn);
  }
}
