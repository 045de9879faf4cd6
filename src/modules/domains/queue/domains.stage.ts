/** The poller that finds tenants with due domain checks. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { DueDomainsRepository } from '../persistence/due-domains.repository.js';
import { DOMAINS_BELL } from './domains.jobs.js';

@Injectable()
export class DomainsStage implements Stage {
  readonly bell = DOMAINS_BELL;

  constructor(private readonly domains: DueDomainsRepository) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.domains.list(), now);
  }
}
