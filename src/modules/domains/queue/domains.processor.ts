/** Handles the wake-up of domains. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { DomainChecks } from '../application/domain-checks.js';
import { DOMAINS_WAKE_UP } from './domains.wakeup.js';

/** A job spends most of its time waiting for DNS servers. */
@Processor(DOMAINS_WAKE_UP.queue, { ...WORKER_OPTIONS, concurrency: 4 })
export class DomainsProcessor extends WakeUpProcessor {
  constructor(
    private readonly checks: DomainChecks,
    tools: WakeUpTools,
  ) {
    super(DOMAINS_WAKE_UP, tools);
  }

  protected override work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.checks.checkDue(scope, mayContinue);
  }
}
