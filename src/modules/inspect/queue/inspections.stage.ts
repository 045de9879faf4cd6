/** The poller that finds workspaces with runs to make or to check, and those with answers to delete. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueTenant, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { InspectFetchRepository } from '../persistence/inspect-fetch.repository.js';
import { InspectWorkRepository } from '../persistence/inspect-work.repository.js';
import { FULL_INSPECTIONS_BELL, INSPECTIONS_BELL } from './inspections.jobs.js';

@Injectable()
export class InspectionsStage implements Stage {
  readonly bell = INSPECTIONS_BELL;

  constructor(
    private readonly work: InspectWorkRepository,
    private readonly fetches: InspectFetchRepository,
  ) {}

  async due(now: Date): Promise<DueWork> {
    const [runs, answers] = [await this.work.due('quick'), await this.fetches.due()];
    const earliest = new Map<string, DueTenant>();
    for (const each of [...runs, ...answers]) {
      const other = earliest.get(each.workspace_id);
      if (!other || each.due_at < other.due_at) earliest.set(each.workspace_id, each);
    }
    return dueWork([...earliest.values()], now);
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
