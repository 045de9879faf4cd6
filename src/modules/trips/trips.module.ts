/** Trips: the engine and its storage. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { EventsModule } from '../events/events.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { SegmentsModule } from '../segments/segments.module.js';
import { SetAsideModule } from '../set-aside/set-aside.module.js';
import { Conversions } from './application/conversions.js';
import { EngagementGoals } from './application/engagement-goals.js';
import { DueTrips } from './application/due-trips.js';
import { FlowGraphs } from './application/flow-graphs.js';
import { FlowSendRules, HeldByFlows } from './application/flow-send-rules.js';
import { FlowThrottles } from './application/flow-throttles.js';
import {
  EndTripsOfDeletedContacts,
  FlowTripCounts,
  FlowTripTermination,
  WakeTrips,
} from './application/flow-trips.js';
import { SilenceExplanations } from './application/silence-explanations.js';
import { TripExplanations } from './application/trip-explanations.js';
import { TripStoryRepository } from './persistence/trip-story.repository.js';
import { StepFigures } from './application/step-figures.js';
import { GoalConversionsService } from './application/goal-conversions.service.js';
import { TripDecisions } from './application/trip-decisions.js';
import { TripEndings } from './application/trip-endings.js';
import { TripEvents } from './application/trip-events.js';
import { TripFactsLoader } from './application/trip-facts.js';
import { TripRunner } from './application/trip-runner.js';
import { TripService } from './application/trip.service.js';
import { TripStarter } from './application/trip-starter.js';
import { ForgetConversions, TallyConversions } from './application/goal-tallies.js';
import {
  TallyEndedTrips,
  TallyRevivedTrips,
  TallyStartedTrips,
  TripTallies,
} from './application/trip-tallies.js';
import { StepTallyRepository } from './persistence/step-tally.repository.js';
import { TripsEndedOutside } from './application/trips-ended-outside.js';
import { TripSweeps } from './application/trip-sweeps.js';
import { TripSweepRepository } from './persistence/trip-sweep.repository.js';
import { TripTallyRepository } from './persistence/trip-tally.repository.js';
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
    SetAsideModule,
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
    HeldByFlows,
    SilenceExplanations,
    StepFigures,
    StepTallyRepository,
    GoalConversionRepository,
    GoalConversionsService,
    ForgetConversions,
    TallyConversions,
    TallyEndedTrips,
    TallyRevivedTrips,
    TallyStartedTrips,
    TripDecisions,
    TripEndings,
    TripEvents,
    TripExplanations,
    TripFactsLoader,
    TripMoveList,
    TripMoveRepository,
    TripMoves,
    TripRepetitions,
    TripRepository,
    TripRunner,
    TripService,
    TripStoryRepository,
    TripStarter,
    TripSweepRepository,
    TripSweeps,
    TripTallies,
    TripTallyRepository,
    TripsEndedOutside,
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
    HeldByFlows,
    SilenceExplanations,
    StepFigures,
    GoalConversionsService,
    ForgetConversions,
    TallyConversions,
    TallyEndedTrips,
    TallyRevivedTrips,
    TallyStartedTrips,
    TripEndings,
    TripExplanations,
    TripMoveList,
    TripMoves,
    TripRunner,
    TripService,
    TripEvents,
    TripSweeps,
    TripTallies,
    TripsEndedOutside,
    WakeTrips,
  ],
})
export class TripsModule {}
