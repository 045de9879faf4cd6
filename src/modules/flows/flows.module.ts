/** Flows: their storage, their life cycle, and what the engine reads of them. */
import { Module } from '@nestjs/common';
import { TemplatesModule } from '../templates/templates.module.js';
import { FlowCatalogue } from './application/flow-catalogue.js';
import { FlowService } from './application/flow.service.js';
import { GoalService } from './application/goal.service.js';
import { GoalsOfFlow } from './application/goals-of-flow.js';
import { FlowGoalRepository } from './persistence/flow-goal.repository.js';
import { FlowRepository } from './persistence/flow.repository.js';

@Module({
  imports: [TemplatesModule],
  providers: [FlowCatalogue, FlowGoalRepository, FlowRepository, FlowService, GoalService, GoalsOfFlow],
  exports: [FlowCatalogue, FlowService, GoalService, GoalsOfFlow],
})
export class FlowsModule {}
