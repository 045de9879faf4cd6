/** The poller that finds workspaces with runs to make or to check, and those with answers to delete. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueTenant, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { InspectFetchRepository } from '../persistence/inspect-fetch.repository.js';
import { InspectWorkRepository } from '../persistence/inspect-work.repository.js';
import { FULL_INSPECTIONS_WAKE_UP, INSPECTIONS_WAKE_UP } from './inspections.wakeup.js';

@Injectable()
export class InspectionsPoller implements Poller {
  readonly wakeUp = INSPECTIONS_WAKE_UP;

  constructor(
    private readonly work: InspectWorkRepository,
    private readonly fetches: InspectFetchRepository,
  ) {}

  async findDue(now: Date): Promise<DueWork> {
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
export class FullInspectionsPoller implements Poller {
  readonly wakeUp = FULL_INSPECTIONS_WAKE_UP;

  constructor(private readonly work: InspectWorkRepository) {}

  async findDue(now: Date): Promise<DueWork> {
    return dueWork(await this.work.due('full'), now);
  }
}
