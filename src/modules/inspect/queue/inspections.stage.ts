/** Finds the workspaces that have runs to be made, or to be looked after. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { InspectWorkRepository } from '../persistence/inspect-work.repository.js';
import { FULL_INSPECTIONS_BELL, INSPECTIONS_BELL } from './inspections.jobs.js';

@Injectable()
export class InspectionsStage implements Stage {
  readonly bell = INSPECTIONS_BELL;

  constructor(private readonly work: InspectWorkRepository) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.work.due('quick'), now);
  }
}

@Injectable()
export class FullInspectionsStage implements Stage {
  readonly bell = FULL_INSPECTIONS_BELL;

  constructor(private readonly work: InspectWorkRepository) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.work.due('full'), now);
  }
}
