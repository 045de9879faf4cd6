/** Trips with their REST and GraphQL interfaces. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { FlowGraphResolver } from './graphql/flow-graph.resolver.js';
import { FlowSimulationResolver } from './graphql/flow-simulation.resolver.js';
import { GoalConversionsResolver } from './graphql/goal-conversions.resolver.js';
import { ExplanationsResolver } from './graphql/explanations.resolver.js';
import { TripMovesResolver } from './graphql/trip-moves.resolver.js';
import { TripsResolver } from './graphql/trips.resolver.js';
import { GoalConversionsController } from './http/goal-conversions.controller.js';
import { TripsController } from './http/trips.controller.js';
import { SimulationModule } from './simulation.module.js';
import { TripsModule } from './trips.module.js';

@Module({
  imports: [ContactsModule, DeliveryModule, FlowsModule, SimulationModule, TripsModule],
  controllers: [GoalConversionsController, TripsController],
  providers: [
    ExplanationsResolver,
    FlowGraphResolver,
    FlowSimulationResolver,
    GoalConversionsResolver,
    TripMovesResolver,
    TripsResolver,
  ],
})
export class TripsApiModule {}
