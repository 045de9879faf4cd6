/** A trip in REST (section 4.2 and the payloads page) and in GraphQL. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection, restPage } from '../../../platform/output/pages.js';
import { maskEmails } from '../../contacts/domain/masking.js';
import type { ShownTrip } from '../application/trip.service.js';
import { BEFORE_FIRST_STEP } from '../domain/trip-path.js';
import { TRIP_STATUSES } from '../domain/trip-transitions.js';
import { TripStatusEnum } from '../input/trip-list.input.js';

@Output({ rest: 'TripResponse', graphql: 'Trip' })
export class TripOutput {
  @Out('ID') id: string;
  @Out('ID') flowId: string;
  @Out('Int', { example: 1 }) flowVersion: number;
  @Out('ID') contactId: string;
  @Out('String', { only: 'rest', nullable: true, example: 'u1' }) externalId: string | null;
  @Out(oneOf(TRIP_STATUSES, TripStatusEnum)) status: string;
  @Out('Int', {
    example: 1,
    description:
      'Index of the flow’s step at which the trip resumes or which it is in. Equals the number of steps when ' +
      'the trip is completed.',
  })
  currentStep: number;
  @Out('Int', {
    only: 'graphql',
    nullable: true,
    description: 'ID of the last step taken, in the trip’s version of the flow. Null before the first.',
  })
  lastStepId: number | null;
  @Out('DateTime', { nullable: true }) resumeAt: Date | null;
  @Out('DateTime') startedAt: Date;
  @Out('DateTime', { nullable: true }) completedAt: Date | null;
  @Out('String', { nullable: true, example: 'finished' }) endedReason: string | null;
}

export const TripConnection = connection('Trip', TripOutput, { counted: true });
export const TripListOutput = restPage('TripListResponse', 'trips', TripOutput);

/**
 * @param withAddresses whether the caller may read contacts. For other callers, an external ID that is an address is
 * masked.
 */
export function tripOutput(trip: ShownTrip, withAddresses: boolean): TripOutput {
  const { externalId, lastStep } = trip;
  return {
    ...trip,
    externalId: externalId === null || withAddresses ? externalId : maskEmails(externalId),
    lastStepId: lastStep === BEFORE_FIRST_STEP ? null : lastStep,
  };
}
