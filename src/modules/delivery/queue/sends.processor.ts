/** Handles the wake-up jobs for due messages. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { SenderService } from '../application/sender.service.js';
import { SENDS_WAKE_UP } from './sends.wakeup.js';

/** Tenants that one process sends for concurrently. They share its lanes (send-lanes). */
const MAX_CONCURRENT_TENANTS = 8;

@Processor(SENDS_WAKE_UP.queue, { ...WORKER_OPTIONS, concurrency: MAX_CONCURRENT_TENANTS })
export class SendsProcessor extends WakeUpProcessor {
  constructor(
    private readonly sender: SenderService,
    tools: WakeUpTools,
  ) {
    super(SENDS_WAKE_UP, tools);
  }

  /** Stores outcomes that only this process knows, before they are lost with it. */
  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.sender.storeRemaining();
  }

  protected override work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.sender.drain(scope, mayContinue);
  }
}
