/**
 * The poller for messages. It finds tenants with messages that are due now or later, with messages of a dead process,
 * and with outcomes that this process has not stored yet.
 */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { SenderService } from '../application/sender.service.js';
import { DueSendsRepository } from '../persistence/due-sends.repository.js';
import { SENDS_BELL } from './sends.jobs.js';

@Injectable()
export class SendsStage implements Stage {
  readonly bell = SENDS_BELL;

  constructor(
    private readonly dueSends: DueSendsRepository,
    private readonly sender: SenderService,
  ) {}

  async due(now: Date): Promise<DueWork> {
    const work = dueWork([...(await this.dueSends.list(now)), ...this.sender.waiting(now)], now);
    this.sender.noteDue(work.scopes);
    return work;
  }
}
