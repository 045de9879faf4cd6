/** How domain checks leave their queue and are requeued. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkQueue } from '../../dead-letters/application/work-queue.js';
import { SendingDomainRepository } from '../persistence/sending-domain.repository.js';
import { DOMAINS_WAKE_UP } from '../queue/domains.wakeup.js';

@Injectable()
export class DomainCheckDeadLetters implements WorkQueue {
  readonly kind = 'domain_check';
  readonly wakeUp = DOMAINS_WAKE_UP;

  constructor(private readonly domains: SendingDomainRepository) {}

  dequeue(tx: Transaction, scope: TenantScope, domainId: string, now: Date): Promise<boolean> {
    return this.domains.postpone(tx, scope, domainId, now, null);
  }

  async defer(tx: Transaction, scope: TenantScope, domainId: string, until: Date, now: Date): Promise<void> {
    await this.domains.postpone(tx, scope, domainId, now, until);
  }

  requeue(tx: Transaction, scope: TenantScope, domainId: string, now: Date): Promise<boolean> {
    return this.domains.requeueCheck(tx, scope, domainId, now);
  }
}
