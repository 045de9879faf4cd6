/** The state of sending, for a dashboard that polls every few seconds. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import type { SendingStatus } from '../domain/sending-status.js';
import { SendingStatusRepository } from '../persistence/sending-status.repository.js';

@Injectable()
export class SendingStatusService {
  constructor(
    private readonly database: Database,
    private readonly statuses: SendingStatusRepository,
    private readonly clock: Clock,
  ) {}

  async of(scope: TenantScope): Promise<SendingStatus> {
    const at = this.clock.now();
    return this.database.listInScope(scope, async (tx) => ({
      at,
      queues: await this.statuses.queues(tx, scope, at),
      sentByMinute: await this.statuses.sentByMinute(tx, scope, at),
      deferringDomains: await this.statuses.deferringDomains(tx, scope, at),
    }));
  }
}
