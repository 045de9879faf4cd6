/** Processes the wake-ups of workspaces to be deleted. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { WorkspaceErasure } from '../application/workspace-erasure.js';
import { DELETIONS_BELL } from './deletions.jobs.js';

@Processor(DELETIONS_BELL.queue, { ...WORKER_OPTIONS, concurrency: 1 })
export class DeletionsProcessor extends BellProcessor {
  constructor(
    private readonly erasure: WorkspaceErasure,
    tools: BellTools,
  ) {
    super(DELETIONS_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.erasure.erase({ workspaceId: scope.workspaceId }, mayGoOn);
  }
}
