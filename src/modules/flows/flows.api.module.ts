/** Flows with their REST and GraphQL interfaces. */
import { Module } from '@nestjs/common';
import { FlowsModule } from './flows.module.js';
import { FlowLifeCycleResolver } from './graphql/flow-life-cycle.resolver.js';
import { FlowsResolver } from './graphql/flows.resolver.js';
import { FlowVersionsResolver } from './graphql/flow-versions.resolver.js';
import { GoalsResolver } from './graphql/goals.resolver.js';
import { FlowLifeCycleController } from './http/flow-life-cycle.controller.js';
import { FlowSetsController } from './http/flow-sets.controller.js';
import { FlowsController } from './http/flows.controller.js';
import { FlowVersionsController } from './http/flow-versions.controller.js';
import { GoalsController } from './http/goals.controller.js';

@Module({
  imports: [FlowsModule],
  controllers: [
    FlowsController,
    FlowLifeCycleController,
    FlowSetsController,
    FlowVersionsController,
    GoalsController,
  ],
  providers: [FlowsResolver, FlowLifeCycleResolver, FlowVersionsResolver, GoalsResolver],
})
export class FlowsApiModule {}
