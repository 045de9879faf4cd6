/** What people ask about trips, section 4.2. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { FlowService } from '../../flows/application/flow.service.js';
import { TripRepository, type TripFilter, type TripRecord } from '../persistence/trip.repository.js';

@Injectable()
export class TripService {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowService,
    private readonly trips: TripRepository,
  ) {}

  /**
   * A page of a flow's trips, newest first.
   * @throws DomainError flow_not_found.
   */
  async ofFlow(
    scope: TenantScope,
    flowId: string,
    filter: Omit<TripFilter, 'flowId' | 'contactId'>,
  ): Promise<{ trips: TripRecord[]; total: number }> {
    if (!isUuid(flowId)) throw new DomainError('flow_not_found', `No flow ${flowId}.`);
    await this.flows.get(scope, flowId);
    return this.list(scope, { ...filter, flowId });
  }

  /** A page of trips, newest first. */
  async list(scope: TenantScope, filter: TripFilter): Promise<{ trips: TripRecord[]; total: number }> {
    return this.database.listInScope(scope, (tx) => this.trips.list(tx, scope, filter));
  }
}
