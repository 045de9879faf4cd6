/** Trips: the engine and its storage. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { SetAsideModule } from '../set-aside/set-aside.module.js';
import { DueTrips } from './application/due-trips.js';
import { FlowTripCounts, FlowTripTermination, WakeTrips } from './application/flow-trips.js';
import { TripDecisions } from './application/trip-decisions.js';
import { TripRunner } from './application/trip-runner.js';
import { TripService } from './application/trip.service.js';
import { TripStarter } from './application/trip-starter.js';
import { TallyEndedTrips, TallyStartedTrips, TripTallies } from './application/trip-tallies.js';
import { TripTallyRepository } from './persistence/trip-tally.repository.js';
import { TripRepository } from './persistence/trip.repository.js';

@Module({
  imports: [ContactsModule, DeliveryModule, FlowsModule, SetAsideModule],
  providers: [
    DueTrips,
    FlowTripCounts,
    FlowTripTermination,
    TallyEndedTrips,
    TallyStartedTrips,
    TripDecisions,
    TripRepository,
    TripRunner,
    TripService,
    TripStarter,
    TripTallies,
    TripTallyRepository,
    WakeTrips,
  ],
  exports: [
    DueTrips,
    FlowTripCounts,
    FlowTripTermination,
    TallyEndedTrips,
    TallyStartedTrips,
    TripRunner,
    TripService,
    TripStarter,
    TripTallies,
    WakeTrips,
  ],
})
export class TripsModule {}
