/** Trips with their faces. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { FlowGraphResolver } from './graphql/flow-graph.resolver.js';
import { GoalConversionsResolver } from './graphql/goal-conversions.resolver.js';
import { TripsResolver } from './graphql/trips.resolver.js';
import { GoalConversionsController } from './http/goal-conversions.controller.js';
import { TripsController } from './http/trips.controller.js';
import { TripsModule } from './trips.module.js';

@Module({
  imports: [ContactsModule, DeliveryModule, FlowsModule, TripsModule],
  controllers: [GoalConversionsController, TripsController],
  providers: [FlowGraphResolver, GoalConversionsResolver, TripsResolver],
})
export class TripsApiModule {}
