/** Handles the wake-up of domains. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { DomainChecks } from '../application/domain-checks.js';
import { DOMAINS_BELL } from './domains.jobs.js';

/** A job spends most of its time waiting for DNS servers. */
@Processor(DOMAINS_BELL.queue, { ...WORKER_OPTIONS, concurrency: 4 })
export class DomainsProcessor extends BellProcessor {
  constructor(
    private readonly checks: DomainChecks,
    tools: BellTools,
  ) {
    super(DOMAINS_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.checks.checkDue(scope, mayGoOn);
  }
}
