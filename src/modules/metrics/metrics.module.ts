/** Metrics: what is counted, once for the whole product, and the sums that answer it. */
import { Module } from '@nestjs/common';
import { TripFigures } from './application/trip-figures.js';
import { TripRollupRepository } from './persistence/trip-rollup.repository.js';

@Module({
  providers: [TripFigures, TripRollupRepository],
  exports: [TripFigures],
})
export class MetricsModule {}
