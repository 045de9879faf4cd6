/** How domain checks leave their queue and are requeued. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkQueue } from '../../set-aside/application/work-queue.js';
import { SendingDomainRepository } from '../persistence/sending-domain.repository.js';
import { DOMAINS_BELL } from '../queue/domains.jobs.js';

@Injectable()
export class DueDomainChecks implements WorkQueue {
  readonly kind = 'domain_check';
  readonly bell = DOMAINS_BELL;

  constructor(private readonly domains: SendingDomainRepository) {}

  takeOut(tx: Transaction, scope: TenantScope, domainId: string, now: Date): Promise<boolean> {
    return this.domains.postpone(tx, scope, domainId, now, null);
  }

  async defer(tx: Transaction, scope: TenantScope, domainId: string, until: Date, now: Date): Promise<void> {
    await this.domains.postpone(tx, scope, domainId, now, until);
  }

  putBack(tx: Transaction, scope: TenantScope, domainId: string, now: Date): Promise<boolean> {
    return this.domains.putBack(tx, scope, domainId, now);
  }
}
