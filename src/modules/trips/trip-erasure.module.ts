/** Erasure of a contact's data from trips. */
import { Module } from '@nestjs/common';
import { TripErasure } from './application/trip-erasure.js';
import { TripHistoryRepository } from './persistence/trip-history.repository.js';
import { TripSweepRepository } from './persistence/trip-sweep.repository.js';

@Module({ providers: [TripErasure, TripHistoryRepository, TripSweepRepository], exports: [TripErasure] })
export class TripErasureModule {}
