/** Finds workspaces with due migration jobs, or with expired files. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueTenant, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { ImportFileRepository } from '../persistence/import-file.repository.js';
import { ImportWorkRepository } from '../persistence/import-work.repository.js';
import { IMPORTS_WAKE_UP } from './imports.wakeup.js';

@Injectable()
export class ImportsPoller implements Poller {
  readonly wakeUp = IMPORTS_WAKE_UP;

  constructor(
    private readonly work: ImportWorkRepository,
    private readonly files: ImportFileRepository,
  ) {}

  async findDue(now: Date): Promise<DueWork> {
    const earliest = new Map<string, DueTenant>();
    for (const each of [...(await this.work.due()), ...(await this.files.due())]) {
      const tenant = `${each.workspace_id} ${each.environment}`;
      const other = earliest.get(tenant);
      if (!other || each.due_at < other.due_at) earliest.set(tenant, each);
    }
    return dueWork([...earliest.values()], now);
  }
}
