/** Trips: the engine and its storage. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { FlowTripCounts, FlowTripTermination, WakeTrips } from './application/flow-trips.js';
import { TripDecisions } from './application/trip-decisions.js';
import { TripRunner } from './application/trip-runner.js';
import { TripService } from './application/trip.service.js';
import { TripStarter } from './application/trip-starter.js';
import { TripRepository } from './persistence/trip.repository.js';

@Module({
  imports: [ContactsModule, DeliveryModule, FlowsModule],
  providers: [
    FlowTripCounts,
    FlowTripTermination,
    TripDecisions,
    TripRepository,
    TripRunner,
    TripService,
    TripStarter,
    WakeTrips,
  ],
  exports: [FlowTripCounts, FlowTripTermination, TripRunner, TripService, TripStarter, WakeTrips],
})
export class TripsModule {}
