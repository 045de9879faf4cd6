/** The worker that deletes workspaces whose deletion is due. */
import { Module } from '@nestjs/common';
import { WorkspaceRows } from '../../platform/database/workspace-rows.js';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { WorkspaceErasure } from './application/workspace-erasure.js';
import { DueDeletionsRepository } from './persistence/due-deletions.repository.js';
import { WorkspaceRepository } from './persistence/workspace.repository.js';
import { DeletionsProcessor } from './queue/deletions.processor.js';
import { DeletionsStage } from './queue/deletions.stage.js';

@Module({
  providers: [
    DeletionsProcessor,
    DeletionsStage,
    DueDeletionsRepository,
    WorkspaceErasure,
    WorkspaceRepository,
    WorkspaceRows,
  ],
})
export class WorkspacesWorkerModule {
  constructor(sweeper: Sweeper, stage: DeletionsStage) {
    sweeper.watch(stage);
  }
}
