/** How the product's own mails leave their queue as dead letters, and are requeued. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkQueue } from '../../set-aside/application/work-queue.js';
import { NoticeRepository } from '../persistence/notice.repository.js';
import { NOTICES_BELL } from '../queue/notices.jobs.js';

@Injectable()
export class QueuedNotices implements WorkQueue {
  readonly kind = 'notice';
  readonly bell = NOTICES_BELL;

  constructor(private readonly notices: NoticeRepository) {}

  takeOut(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.notices.takeOut(tx, scope, id, now);
  }

  putBack(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.notices.putBack(tx, scope, id, now);
  }
}
