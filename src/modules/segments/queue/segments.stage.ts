/** Finds the tenants that have touched contacts, or segments whose refresh is due. */
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
