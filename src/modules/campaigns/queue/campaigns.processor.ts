/** Handles the wake-up jobs of campaigns. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { CampaignRunner } from '../application/campaign-runner.js';
import { CAMPAIGNS_WAKE_UP } from './campaigns.wakeup.js';

@Processor(CAMPAIGNS_WAKE_UP.queue, { ...WORKER_OPTIONS })
export class CampaignsProcessor extends WakeUpProcessor {
  constructor(
    private readonly runner: CampaignRunner,
    tools: WakeUpTools,
  ) {
    super(CAMPAIGNS_WAKE_UP, tools);
  }

  protected override work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.runner.runDueCampaigns(scope, mayContinue);
  }
}
