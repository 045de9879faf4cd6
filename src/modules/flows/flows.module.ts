/** Flows: their storage, their life cycle, and what the engine reads of them. */
import { Module } from '@nestjs/common';
import { InspectGateModule } from '../inspect/inspect-gate.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { SegmentsModule } from '../segments/segments.module.js';
import { FlowWriter } from './application/flow-writer.js';
import { FlowBulkService } from './application/flow-bulk.service.js';
import { FlowCatalogue } from './application/flow-catalogue.js';
import { FlowExportService } from './application/flow-export.service.js';
import { FlowLifeCycle } from './application/flow-life-cycle.js';
import { FlowTemplates } from './application/flow-templates.js';
import { FlowVersionsService } from './application/flow-versions.service.js';
import { FlowStatusRepository } from './persistence/flow-status.repository.js';
import { FlowService } from './application/flow.service.js';
import { GoalService } from './application/goal.service.js';
import { GoalsOfFlow } from './application/goals-of-flow.js';
import { FlowGoalRepository } from './persistence/flow-goal.repository.js';
import { FlowExportRepository } from './persistence/flow-export.repository.js';
import { FlowVersionRepository } from './persistence/flow-version.repository.js';
import { FlowRepository } from './persistence/flow.repository.js';

@Module({
  imports: [InspectGateModule, SegmentsModule, TemplatesModule],
  providers: [
    FlowWriter,
    FlowBulkService,
    FlowCatalogue,
    FlowExportRepository,
    FlowExportService,
    FlowGoalRepository,
    FlowLifeCycle,
    FlowRepository,
    FlowService,
    FlowStatusRepository,
    FlowTemplates,
    FlowVersionRepository,
    FlowVersionsService,
    GoalService,
    GoalsOfFlow,
  ],
  exports: [
    FlowBulkService,
    FlowCatalogue,
    FlowExportService,
    FlowLifeCycle,
    FlowService,
    FlowStatusRepository,
    FlowVersionsService,
    GoalService,
    GoalsOfFlow,
  ],
})
export class FlowsModule {}
