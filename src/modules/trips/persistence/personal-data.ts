/**
 * What an erasure does to trips: values leave their trails. Of a contact with thousands of trips, they are erased in
 * batches after the request (`trip-sweeps.ts`); until then, explanations no longer show them
 * (`trip-explanations.ts`).
 */
import type { PersonalDataErasure } from '../../../platform/database/personal-data.js';
import { MAX_ERASED_TRIPS_PER_BATCH, TripHistoryRepository } from './trip-history.repository.js';
import { TripSweepRepository } from './trip-sweep.repository.js';

const histories = new TripHistoryRepository();
const sweeps = new TripSweepRepository();

export const TRIP_ERASURES: readonly PersonalDataErasure[] = [
  {
    tables: ['trips'],
    kind: 'trips',
    erase: async (tx, person) => {
      const { contactId, now } = person;
      const { trips, trails } = await histories.countHistories(tx, person, contactId);
      if (trips <= MAX_ERASED_TRIPS_PER_BATCH)
        await histories.eraseValues(tx, person, contactId, null, MAX_ERASED_TRIPS_PER_BATCH);
      else await sweeps.request(tx, person, { kind: 'contact_erased', subjectId: contactId }, now);
      return trails;
    },
  },
];
