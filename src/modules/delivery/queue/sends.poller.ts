/**
 * The poller for messages. It finds tenants with messages that are due now or later, with messages of a dead process,
 * and with outcomes that this process has not stored yet.
 */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { SenderService } from '../application/sender.service.js';
import { DueSendsRepository } from '../persistence/due-sends.repository.js';
import { SENDS_WAKE_UP } from './sends.wakeup.js';

@Injectable()
export class SendsPoller implements Poller {
  readonly wakeUp = SENDS_WAKE_UP;

  constructor(
    private readonly dueSends: DueSendsRepository,
    private readonly sender: SenderService,
  ) {}

  async findDue(now: Date): Promise<DueWork> {
    const work = dueWork([...(await this.dueSends.list(now)), ...this.sender.unstoredTenants(now)], now);
    this.sender.recordDue(work.scopes);
    return work;
  }
}
