/** Handles the wake-up jobs for due messages. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { SenderService } from '../application/sender.service.js';
import { SENDS_BELL } from './sends.jobs.js';

/** Tenants that one process sends for concurrently. They share its lanes (send-lanes). */
const TENANTS_AT_ONCE = 8;

@Processor(SENDS_BELL.queue, { ...WORKER_OPTIONS, concurrency: TENANTS_AT_ONCE })
export class SendsProcessor extends BellProcessor {
  constructor(
    private readonly sender: SenderService,
    tools: BellTools,
  ) {
    super(SENDS_BELL, tools);
  }

  /** Stores outcomes that only this process knows, before they are lost with it. */
  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.sender.storeRest();
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.sender.drain(scope, mayGoOn);
  }
}
