/** Handles the wake-up jobs of campaigns. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { CampaignRunner } from '../application/campaign-runner.js';
import { CAMPAIGNS_BELL } from './campaigns.jobs.js';

@Processor(CAMPAIGNS_BELL.queue, { ...WORKER_OPTIONS })
export class CampaignsProcessor extends BellProcessor {
  constructor(
    private readonly runner: CampaignRunner,
    tools: BellTools,
  ) {
    super(CAMPAIGNS_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.runner.goOn(scope, mayGoOn);
  }
}
