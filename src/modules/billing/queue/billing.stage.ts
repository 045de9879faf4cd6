/** The poller for payment providers' events: finds the workspaces that have events to process. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { BillingEventRepository } from '../persistence/billing-event.repository.js';
import { BILLING_BELL } from './billing.jobs.js';

/** Maximum events that are read. Later ones follow when these are done. */
const MOST = 1_000;

@Injectable()
export class BillingStage implements Stage {
  readonly bell = BILLING_BELL;

  constructor(private readonly events: BillingEventRepository) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.events.due(MOST), now);
  }
}
