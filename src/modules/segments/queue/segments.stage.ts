/** Polls for tenants with touched contacts or due segment refreshes. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { DueSegmentsRepository } from '../persistence/due-segments.repository.js';
import { SEGMENTS_BELL } from './segments.jobs.js';

@Injectable()
export class SegmentsStage implements Stage {
  readonly bell = SEGMENTS_BELL;

  constructor(private readonly segments: DueSegmentsRepository) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.segments.list(), now);
  }
}
