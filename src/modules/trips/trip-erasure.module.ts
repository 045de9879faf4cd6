/** Erasure of a contact's data from trips. */
import { Module } from '@nestjs/common';
import { TripErasure } from './application/trip-erasure.js';
import { TripStoryRepository } from './persistence/trip-story.repository.js';
import { TripSweepRepository } from './persistence/trip-sweep.repository.js';

@Module({ providers: [TripErasure, TripStoryRepository, TripSweepRepository], exports: [TripErasure] })
export class TripErasureModule {}
