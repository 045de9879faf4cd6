/**
 * What retries and dead letters do with trips: postpone a due one, remove its due time, make it due again. A trip
 * that is `active` or `paused` without a due time waits for a person.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import type { WorkQueue } from '../../dead-letters/application/work-queue.js';
import { TripRepository } from '../persistence/trip.repository.js';

@Injectable()
export class DueTrips implements WorkQueue {
  readonly kind = 'trip';
  readonly wakeUp = WAKE_UPS.trips;

  constructor(private readonly trips: TripRepository) {}

  dequeue(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.trips.reschedule(tx, scope, id, now, null);
  }

  async defer(tx: Transaction, scope: TenantScope, id: string, until: Date, now: Date): Promise<void> {
    await this.trips.reschedule(tx, scope, id, now, until);
  }

  requeue(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.trips.requeue(tx, scope, id, now);
  }
}
