/** Metrics: the counts of the whole product, and the rollups that answer queries. */
import { Module } from '@nestjs/common';
import {
  EngagementActivityListener,
  EventActivityListener,
  ContactActivity,
} from './application/contact-activity.js';
import { Cohorts } from './application/cohorts.js';
import { PeriodTotals } from './application/period-totals.js';
import { MetricQueries } from './application/metric-queries.js';
import { CostlyQueryCache } from './application/costly-query-cache.js';
import { Rollups } from './application/rollups.js';
import { EnteredTrips } from './application/entered-trips.js';
import { ActivityRepository } from './persistence/activity.repository.js';
import { CohortRepository } from './persistence/cohort.repository.js';
import { PeriodTotalsRepository } from './persistence/period-totals.repository.js';
import { MetricQueryRepository } from './persistence/metric-query.repository.js';
import { RollupRepository } from './persistence/rollup.repository.js';
import { StepDeltaRepository } from './persistence/step-delta.repository.js';
import { TripRollupRepository } from './persistence/trip-rollup.repository.js';

const EXPORTED_PROVIDERS = [
  EngagementActivityListener,
  EventActivityListener,
  Cohorts,
  MetricQueries,
  PeriodTotals,
  Rollups,
  StepDeltaRepository,
  EnteredTrips,
];

@Module({
  providers: [
    ActivityRepository,
    CohortRepository,
    ContactActivity,
    PeriodTotalsRepository,
    MetricQueryRepository,
    CostlyQueryCache,
    RollupRepository,
    TripRollupRepository,
    ...EXPORTED_PROVIDERS,
  ],
  exports: EXPORTED_PROVIDERS,
})
export class MetricsModule {}
