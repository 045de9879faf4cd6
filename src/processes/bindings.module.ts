/** Joins the ports through which modules call uphill to the modules that answer. */
import { Global, Module } from '@nestjs/common';
import { ContactNews } from '../modules/contacts/application/contact-news.port.js';
import { PersonalData } from '../modules/contacts/application/personal-data.port.js';
import { EmailErasure } from '../modules/delivery/application/email-erasure.js';
import { DeliveryModule } from '../modules/delivery/delivery.module.js';
import { SendOutcomes } from '../modules/delivery/application/send-outcomes.port.js';
import { EmailErasureRepository } from '../modules/delivery/persistence/email-erasure.repository.js';
import { EventErasure } from '../modules/events/application/event-erasure.js';
import { EventErasureRepository } from '../modules/events/persistence/event-erasure.repository.js';
import { TripTermination } from '../modules/flows/application/trip-termination.port.js';
import { SegmentErasure } from '../modules/segments/application/segment-erasure.js';
import { SegmentTouches } from '../modules/segments/application/segment-touches.js';
import { SegmentErasureRepository } from '../modules/segments/persistence/segment-erasure.repository.js';
import { SegmentsModule } from '../modules/segments/segments.module.js';
import { FlowTripTermination, TripSendOutcomes } from '../modules/trips/application/flow-trips.js';
import { TripsModule } from '../modules/trips/trips.module.js';
import { PersonalDataOfAll } from './personal-data.js';

const KEEPERS = [EventErasure, EmailErasure, SegmentErasure];

/** What whoever writes contacts needs, also without queues. */
@Global()
@Module({
  imports: [SegmentsModule],
  providers: [
    { provide: ContactNews, useExisting: SegmentTouches },
    EventErasureRepository,
    EmailErasureRepository,
    SegmentErasureRepository,
    ...KEEPERS,
    {
      provide: PersonalData,
      inject: KEEPERS,
      useFactory: (...keepers: PersonalData[]) => new PersonalDataOfAll(keepers),
    },
  ],
  exports: [ContactNews, PersonalData],
})
export class ContactBindingsModule {}

@Global()
@Module({
  imports: [ContactBindingsModule, DeliveryModule, TripsModule],
  providers: [
    { provide: SendOutcomes, useClass: TripSendOutcomes },
    { provide: TripTermination, useClass: FlowTripTermination },
  ],
  exports: [SendOutcomes, TripTermination],
})
export class BindingsModule {}
