/** Lets delivery check which trips were ended from outside. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { TerminatedTrips } from '../../delivery/application/terminated-trips.port.js';
import { TripRepository } from '../persistence/trip.repository.js';

@Injectable()
export class TerminatedTripsReader extends TerminatedTrips {
  constructor(private readonly trips: TripRepository) {
    super();
  }

  override async among(
    tx: Transaction,
    scope: TenantScope,
    tripIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    return this.trips.terminatedAmong(tx, scope, tripIds);
  }
}
