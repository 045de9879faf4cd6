/** Queries about trips, section 4.2. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { FlowCatalogue } from '../../flows/application/flow-catalogue.js';
import { FlowService } from '../../flows/application/flow.service.js';
import { currentStep } from '../domain/trip-path.js';
import { TripRepository, type TripFilter, type TripRecord } from '../persistence/trip.repository.js';

/** A trip as the API shows it. */
export interface ShownTrip extends TripRecord {
  /** Null if the contact's record is gone. */
  readonly externalId: string | null;
  /** Index of the top-level step of the flow at which the trip resumes, or within which it currently is. */
  readonly currentStep: number;
}

export interface TripList {
  readonly trips: readonly ShownTrip[];
  /** How many trips match the whole filter. */
  readonly total: number;
}

@Injectable()
export class TripService {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowService,
    private readonly catalogue: FlowCatalogue,
    private readonly trips: TripRepository,
    private readonly contacts: KnownContacts,
  ) {}

  /**
   * A page of a flow's trips, newest first.
   * @throws DomainError flow_not_found.
   */
  async ofFlow(
    scope: TenantScope,
    flowId: string,
    filter: Omit<TripFilter, 'flowId' | 'contactId'>,
  ): Promise<TripList> {
    if (!isUuid(flowId)) throw new DomainError('flow_not_found', `No flow has the ID ${flowId}.`);
    await this.flows.get(scope, flowId);
    return this.list(scope, { ...filter, flowId });
  }

  /** A page of trips, newest first. */
  async list(scope: TenantScope, filter: TripFilter): Promise<TripList> {
    return this.database.listInScope(scope, async (tx) => {
      const { trips, total } = await this.trips.list(tx, scope, filter);
      const ids = new Set(trips.map(({ contactId }) => contactId));
      const externalIds = await this.contacts.externalIds(tx, scope, [...ids]);
      const shown: ShownTrip[] = [];
      for (const trip of trips) {
        // Cached in the process while the flow does not change. Of a version that is gone, the step is unknown.
        const definition = await this.catalogue.definition(tx, scope, trip.flowId, trip.flowVersion);
        const externalId = externalIds.get(trip.contactId) ?? null;
        shown.push({
          ...trip,
          externalId,
          currentStep: definition ? currentStep(definition.steps, trip) : 0,
        });
      }
      return { trips: shown, total };
    });
  }
}
