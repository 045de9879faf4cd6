/** Handles the wake-up for migrations. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { ImportJobs } from '../application/import-jobs.js';
import { MAX_CLAIMED_WORKSPACES } from '../domain/work-limits.js';
import { IMPORTS_WAKE_UP } from './imports.wakeup.js';

const OPTIONS = { ...WORKER_OPTIONS, concurrency: MAX_CLAIMED_WORKSPACES } as const;

@Processor(IMPORTS_WAKE_UP.queue, OPTIONS)
export class ImportsProcessor extends WakeUpProcessor {
  constructor(
    private readonly jobs: ImportJobs,
    tools: WakeUpTools,
  ) {
    super(IMPORTS_WAKE_UP, tools);
  }

  protected override work(scope: TenantScope): Promise<boolean> {
    return this.jobs.run(scope);
  }
}
