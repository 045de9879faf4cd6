/** Works on the bell of migrations. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { ImportJobs } from '../application/import-jobs.js';
import { IMPORTS_BELL } from './imports.jobs.js';

/** Workspaces whose jobs a worker has in hand at a time; most of it is waiting for platforms. */
const OPTIONS = { ...WORKER_OPTIONS, concurrency: 6 } as const;

@Processor(IMPORTS_BELL.queue, OPTIONS)
export class ImportsProcessor extends BellProcessor {
  constructor(
    private readonly jobs: ImportJobs,
    tools: BellTools,
  ) {
    super(IMPORTS_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.jobs.run(scope, mayGoOn);
  }
}
