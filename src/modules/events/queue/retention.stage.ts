/**
 * The poller for retention: finds the tenants whose oldest event exceeds their plan's retention, or whose idempotency
 * keys expired.
 */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { ExpiringTenantsRepository } from '../persistence/expiring-tenants.repository.js';
import { RETENTION_BELL } from './retention.jobs.js';

@Injectable()
export class RetentionStage implements Stage {
  readonly bell = RETENTION_BELL;

  constructor(private readonly tenants: ExpiringTenantsRepository) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.tenants.list(), now);
  }
}
