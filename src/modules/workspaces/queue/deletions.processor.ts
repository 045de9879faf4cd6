/** Processes the wake-ups of workspaces to be deleted. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { WorkspaceErasure } from '../application/workspace-erasure.js';
import { DELETIONS_WAKE_UP } from './deletions.wakeup.js';

@Processor(DELETIONS_WAKE_UP.queue, { ...WORKER_OPTIONS, concurrency: 1 })
export class DeletionsProcessor extends WakeUpProcessor {
  constructor(
    private readonly erasure: WorkspaceErasure,
    tools: WakeUpTools,
  ) {
    super(DELETIONS_WAKE_UP, tools);
  }

  protected override work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.erasure.erase({ workspaceId: scope.workspaceId }, mayContinue);
  }
}
