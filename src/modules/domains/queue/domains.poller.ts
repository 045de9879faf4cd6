/** The poller that finds tenants with due domain checks. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { DueDomainsRepository } from '../persistence/due-domains.repository.js';
import { DOMAINS_WAKE_UP } from './domains.wakeup.js';

@Injectable()
export class DomainsPoller implements Poller {
  readonly wakeUp = DOMAINS_WAKE_UP;

  constructor(private readonly domains: DueDomainsRepository) {}

  async findDue(now: Date): Promise<DueWork> {
    return dueWork(await this.domains.list(), now);
  }
}
