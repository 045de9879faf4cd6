/** Trips: the engine and its storage. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { EventsModule } from '../events/events.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { SegmentsModule } from '../segments/segments.module.js';
import { DeadLettersModule } from '../dead-letters/dead-letters.module.js';
import { Conversions } from './application/conversions.js';
import { EngagementGoals } from './application/engagement-goals.js';
import { DueTrips } from './application/due-trips.js';
import { FlowGraphs } from './application/flow-graphs.js';
import { FlowSendRules, FlowRuleChanges } from './application/flow-send-rules.js';
import { FlowThrottles } from './application/flow-throttles.js';
import {
  EndTripsOfDeletedContacts,
  FlowTripCounts,
  FlowTripTermination,
  WakeTrips,
} from './application/flow-trips.js';
import { SilenceExplanations } from './application/silence-explanations.js';
import { TripExplanations } from './application/trip-explanations.js';
import { TripHistoryRepository } from './persistence/trip-history.repository.js';
import { StepCounters } from './application/step-counters.js';
import { GoalConversionsService } from './application/goal-conversions.service.js';
import { TripDecisions } from './application/trip-decisions.js';
import { TripTerminator } from './application/trip-terminator.js';
import { TripEvents } from './application/trip-events.js';
import { TripInputsLoader } from './application/trip-inputs.js';
import { TripRunner } from './application/trip-runner.js';
import { TripService } from './application/trip.service.js';
import { TripStarter } from './application/trip-starter.js';
import { ConversionCounters, DeleteExpiredConversions } from './application/goal-counters.js';
import { TripCounters } from './application/trip-counters.js';
import { StepCounterRepository } from './persistence/step-counter.repository.js';
import { TerminatedTripsReader } from './application/terminated-trips-reader.js';
import { TripSweeps } from './application/trip-sweeps.js';
import { TripSweepRepository } from './persistence/trip-sweep.repository.js';
import { TripCounterRepository } from './persistence/trip-counter.repository.js';
import { GoalConversionRepository } from './persistence/goal-conversion.repository.js';
import { TripMoveList } from './application/trip-move-list.js';
import { TripMoves } from './application/trip-moves.js';
import { TripRepetitions } from './application/trip-repetitions.js';
import { TripMoveRepository } from './persistence/trip-move.repository.js';
import { TripRepository } from './persistence/trip.repository.js';

@Module({
  imports: [
    ContactsModule,
    DeliveryModule,
    EventsModule,
    FlowsModule,
    MetricsModule,
    SegmentsModule,
    DeadLettersModule,
  ],
  providers: [
    Conversions,
    DueTrips,
    EndTripsOfDeletedContacts,
    EngagementGoals,
    FlowGraphs,
    FlowSendRules,
    FlowThrottles,
    FlowTripCounts,
    FlowTripTermination,
    FlowRuleChanges,
    SilenceExplanations,
    StepCounters,
    StepCounterRepository,
    GoalConversionRepository,
    GoalConversionsService,
    DeleteExpiredConversions,
    ConversionCounters,
    TripDecisions,
    TripTerminator,
    TripEvents,
    TripExplanations,
    TripInputsLoader,
    TripMoveList,
    TripMoveRepository,
    TripMoves,
    TripRepetitions,
    TripRepository,
    TripRunner,
    TripService,
    TripHistoryRepository,
    TripStarter,
    TripSweepRepository,
    TripSweeps,
    TripCounters,
    TripCounterRepository,
    TerminatedTripsReader,
    WakeTrips,
  ],
  exports: [
    DueTrips,
    EndTripsOfDeletedContacts,
    EngagementGoals,
    FlowGraphs,
    FlowSendRules,
    FlowThrottles,
    FlowTripCounts,
    FlowTripTermination,
    FlowRuleChanges,
    SilenceExplanations,
    StepCounters,
    GoalConversionsService,
    DeleteExpiredConversions,
    TripTerminator,
    TripExplanations,
    TripMoveList,
    TripMoves,
    TripRunner,
    TripService,
    TripEvents,
    TripSweeps,
    TripCounters,
    TerminatedTripsReader,
    WakeTrips,
  ],
})
export class TripsModule {}
