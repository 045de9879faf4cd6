/** Joins the ports through which modules call uphill to the modules that answer. */
import { Global, Module } from '@nestjs/common';
import { DeliveryModule } from '../modules/delivery/delivery.module.js';
import { SendOutcomes } from '../modules/delivery/application/send-outcomes.port.js';
import { TripTermination } from '../modules/flows/application/trip-termination.port.js';
import { FlowTripTermination, TripSendOutcomes } from '../modules/trips/application/flow-trips.js';
import { TripsModule } from '../modules/trips/trips.module.js';

@Global()
@Module({
  imports: [DeliveryModule, TripsModule],
  providers: [
    { provide: SendOutcomes, useClass: TripSendOutcomes },
    { provide: TripTermination, useClass: FlowTripTermination },
  ],
  exports: [SendOutcomes, TripTermination],
})
export class BindingsModule {}
