/** The poller for payment providers' events: finds the workspaces that have events to process. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { BillingEventRepository } from '../persistence/billing-event.repository.js';
import { BILLING_WAKE_UP } from './billing.wakeup.js';

/** Maximum events that are read. Later ones follow when these are done. */
const MAX_EVENTS = 1_000;

@Injectable()
export class BillingPoller implements Poller {
  readonly wakeUp = BILLING_WAKE_UP;

  constructor(private readonly events: BillingEventRepository) {}

  async findDue(now: Date): Promise<DueWork> {
    return dueWork(await this.events.due(MAX_EVENTS), now);
  }
}
