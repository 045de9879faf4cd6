/** Simulation of flows on past events, without any effect. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { RehearsalModule } from '../delivery/rehearsal.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { PreferencesModule } from '../preferences/preferences.module.js';
import { SegmentsModule } from '../segments/segments.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { FlowSimulationService } from './application/flow-simulation.service.js';
import { PastPeople } from './application/past-people.js';
import { PastReplay } from './application/past-replay.js';
import { SimulationSample } from './application/simulation-sample.js';
import { SimulationTurns } from './application/simulation-turns.js';
import { PastRepository } from './persistence/past.repository.js';

@Module({
  imports: [
    ContactsModule,
    FlowsModule,
    PreferencesModule,
    RehearsalModule,
    SegmentsModule,
    SuppressionsModule,
  ],
  providers: [
    FlowSimulationService,
    PastPeople,
    PastReplay,
    PastRepository,
    SimulationSample,
    SimulationTurns,
  ],
  exports: [FlowSimulationService],
})
export class SimulationModule {}
