/** Answers the bell of due messages. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { SenderService } from '../application/sender.service.js';
import { SENDS_BELL } from './sends.jobs.js';

/** Turns of tenants that go on side by side in a process, sharing its lanes. */
const TENANTS_AT_ONCE = 8;

@Processor(SENDS_BELL.queue, { ...WORKER_OPTIONS, concurrency: TENANTS_AT_ONCE })
export class SendsProcessor extends BellProcessor {
  constructor(
    private readonly sender: SenderService,
    tools: BellTools,
  ) {
    super(SENDS_BELL, tools);
  }

  /** What is known of messages and stored nowhere ends with the process. */
  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.sender.storeRest();
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.sender.drain(scope, mayGoOn);
  }
}
