/** The worker that deletes workspaces whose deletion is due. */
import { Module } from '@nestjs/common';
import { WorkspaceRows } from '../../platform/database/workspace-rows.js';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { WorkspaceErasure } from './application/workspace-erasure.js';
import { DueDeletionsRepository } from './persistence/due-deletions.repository.js';
import { WorkspaceRepository } from './persistence/workspace.repository.js';
import { DeletionsProcessor } from './queue/deletions.processor.js';
import { DeletionsPoller } from './queue/deletions.poller.js';

@Module({
  providers: [
    DeletionsProcessor,
    DeletionsPoller,
    DueDeletionsRepository,
    WorkspaceErasure,
    WorkspaceRepository,
    WorkspaceRows,
  ],
})
export class WorkspacesWorkerModule {
  constructor(sweeper: Sweeper, poller: DeletionsPoller) {
    sweeper.watch(poller);
  }
}
