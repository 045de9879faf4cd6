/** Flows with their faces. */
import { Module } from '@nestjs/common';
import { FlowsModule } from './flows.module.js';
import { FlowsResolver } from './graphql/flows.resolver.js';
import { GoalsResolver } from './graphql/goals.resolver.js';
import { FlowsController } from './http/flows.controller.js';
import { GoalsController } from './http/goals.controller.js';

@Module({
  imports: [FlowsModule],
  controllers: [FlowsController, GoalsController],
  providers: [FlowsResolver, GoalsResolver],
})
export class FlowsApiModule {}
