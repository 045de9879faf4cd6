/** Polls for tenants with touched contacts or due segment refreshes. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { DueSegmentsRepository } from '../persistence/due-segments.repository.js';
import { SEGMENTS_WAKE_UP } from './segments.wakeup.js';

@Injectable()
export class SegmentsPoller implements Poller {
  readonly wakeUp = SEGMENTS_WAKE_UP;

  constructor(private readonly segments: DueSegmentsRepository) {}

  async findDue(now: Date): Promise<DueWork> {
    return dueWork(await this.segments.list(), now);
  }
}
