/** Trips: the engine and its storage. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { EventsModule } from '../events/events.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { SegmentsModule } from '../segments/segments.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { TripDecisions } from './application/trip-decisions.js';
import { TripRunner } from './application/trip-runner.js';
import { TripService } from './application/trip.service.js';
import { TripStarter } from './application/trip-starter.js';
import { TripRepository } from './persistence/trip.repository.js';

@Module({
  imports: [
    ContactsModule,
    DeliveryModule,
    EventsModule,
    FlowsModule,
    LimitsModule,
    SegmentsModule,
    WorkspacesModule,
  ],
  providers: [TripDecisions, TripRepository, TripRunner, TripService, TripStarter],
  exports: [TripRepository, TripRunner, TripService, TripStarter],
})
export class TripsModule {}
