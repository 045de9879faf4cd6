/** How the product's own mails leave their queue as dead letters, and are requeued. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import type { WorkQueue } from '../../dead-letters/application/work-queue.js';
import { NoticeRepository } from '../persistence/notice.repository.js';

@Injectable()
export class QueuedNotices implements WorkQueue {
  readonly kind = 'notice';
  readonly wakeUp = WAKE_UPS.notices;

  constructor(private readonly notices: NoticeRepository) {}

  dequeue(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.notices.markDeadLetter(tx, scope, id, now);
  }

  requeue(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.notices.requeue(tx, scope, id, now);
  }
}
