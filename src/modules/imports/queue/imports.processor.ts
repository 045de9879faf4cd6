/** Handles the wake-up for migrations. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { ImportJobs } from '../application/import-jobs.js';
import { TURNS_AT_ONCE } from '../domain/work-bounds.js';
import { IMPORTS_BELL } from './imports.jobs.js';

const OPTIONS = { ...WORKER_OPTIONS, concurrency: TURNS_AT_ONCE } as const;

@Processor(IMPORTS_BELL.queue, OPTIONS)
export class ImportsProcessor extends BellProcessor {
  constructor(
    private readonly jobs: ImportJobs,
    tools: BellTools,
  ) {
    super(IMPORTS_BELL, tools);
  }

  protected override work(scope: TenantScope): Promise<boolean> {
    return this.jobs.run(scope);
  }
}
