/** Simulation of flows on past events, without any effect. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { SendSimulationModule } from '../delivery/send-simulation.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { PreferencesModule } from '../preferences/preferences.module.js';
import { SegmentsModule } from '../segments/segments.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { FlowSimulationService } from './application/flow-simulation.service.js';
import { SimulationContacts } from './application/simulation-contacts.js';
import { PastReplay } from './application/past-replay.js';
import { SimulationSample } from './application/simulation-sample.js';
import { SimulationScheduler } from './application/simulation-scheduler.js';
import { PastRepository } from './persistence/past.repository.js';

@Module({
  imports: [
    ContactsModule,
    FlowsModule,
    PreferencesModule,
    SendSimulationModule,
    SegmentsModule,
    SuppressionsModule,
  ],
  providers: [
    FlowSimulationService,
    SimulationContacts,
    PastReplay,
    PastRepository,
    SimulationSample,
    SimulationScheduler,
  ],
  exports: [FlowSimulationService],
})
export class SimulationModule {}
