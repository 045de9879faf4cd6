/** Finds the workspaces that have migration jobs to be worked on, or to be looked after. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { ImportWorkRepository } from '../persistence/import-work.repository.js';
import { IMPORTS_BELL } from './imports.jobs.js';

@Injectable()
export class ImportsStage implements Stage {
  readonly bell = IMPORTS_BELL;

  constructor(private readonly work: ImportWorkRepository) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.work.due(), now);
  }
}
