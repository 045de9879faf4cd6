/** Metrics: the counts of the whole product, and the rollups that answer queries. */
import { Module } from '@nestjs/common';
import { ActivityByEngagement, ActivityByEvents, ContactActivity } from './application/activity.js';
import { Cohorts } from './application/cohorts.js';
import { PeriodSums } from './application/period-sums.js';
import { MetricQueries } from './application/metric-queries.js';
import { RefusedQuestions } from './application/refused-questions.js';
import { Rollups } from './application/rollups.js';
import { StepSums } from './application/step-sums.js';
import { TripFigures } from './application/trip-figures.js';
import { ActivityRepository } from './persistence/activity.repository.js';
import { CohortRepository } from './persistence/cohort.repository.js';
import { PeriodSumsRepository } from './persistence/period-sums.repository.js';
import { MetricAnswerRepository } from './persistence/metric-answer.repository.js';
import { RollupRepository } from './persistence/rollup.repository.js';
import { StepChangeRepository } from './persistence/step-change.repository.js';
import { TripRollupRepository } from './persistence/trip-rollup.repository.js';

const OFFERED = [
  ActivityByEngagement,
  ActivityByEvents,
  Cohorts,
  MetricQueries,
  PeriodSums,
  Rollups,
  StepSums,
  TripFigures,
];

@Module({
  providers: [
    ActivityRepository,
    CohortRepository,
    ContactActivity,
    PeriodSumsRepository,
    MetricAnswerRepository,
    RefusedQuestions,
    RollupRepository,
    StepChangeRepository,
    TripRollupRepository,
    ...OFFERED,
  ],
  exports: OFFERED,
})
export class MetricsModule {}
