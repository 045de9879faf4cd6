/**
 * The poller for retention: finds the tenants whose oldest event exceeds their plan's retention, or whose idempotency
 * keys expired.
 */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { ExpiringTenantsRepository } from '../persistence/expiring-tenants.repository.js';
import { RETENTION_WAKE_UP } from './retention.wakeup.js';

@Injectable()
export class RetentionPoller implements Poller {
  readonly wakeUp = RETENTION_WAKE_UP;

  constructor(private readonly tenants: ExpiringTenantsRepository) {}

  async findDue(now: Date): Promise<DueWork> {
    return dueWork(await this.tenants.list(), now);
  }
}
