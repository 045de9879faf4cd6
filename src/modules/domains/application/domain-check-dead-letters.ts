/** How domain checks leave their queue and are requeued. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import type { WorkQueue } from '../../dead-letters/application/work-queue.js';
import { SendingDomainRepository } from '../persistence/sending-domain.repository.js';

@Injectable()
export class DomainCheckDeadLetters implements WorkQueue {
  readonly kind = 'domain_check';
  readonly wakeUp = WAKE_UPS.domains;

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
