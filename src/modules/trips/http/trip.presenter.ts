/** REST representation of a trip (section 4.2 and the payloads page). */
import { ApiProperty } from '@nestjs/swagger';
import { maskEmails } from '../../contacts/domain/masking.js';
import { TRIP_STATUSES } from '../domain/trip-transitions.js';
import type { ShownTrip } from '../application/trip.service.js';

export class TripResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'uuid' }) flow_id: string;
  @ApiProperty({ example: 1 }) flow_version: number;
  @ApiProperty({ format: 'uuid' }) contact_id: string;
  @ApiProperty({ type: String, nullable: true, example: 'u1' }) external_id: string | null;
  @ApiProperty({ enum: TRIP_STATUSES })
  status: string;
  @ApiProperty({
    example: 1,
    description:
      'Index of the flow’s step at which the trip resumes or which it is in. Equals the number of steps when ' +
      'the trip is completed.',
  })
  current_step: number;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) resume_at: string | null;
  @ApiProperty({ format: 'date-time' }) started_at: string;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) completed_at: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'finished' }) ended_reason: string | null;
}

export class TripListResponse {
  @ApiProperty({ type: [TripResponse] }) trips: TripResponse[];
  @ApiProperty({ example: 1 }) total: number;
  @ApiProperty({ example: 50 }) limit: number;
  @ApiProperty({ example: 0 }) offset: number;
}

/**
 * @param withAddresses whether the caller may read contacts. For other callers, an external_id that is an address is
 * masked.
 */
export function presentTrip(trip: ShownTrip, withAddresses: boolean): TripResponse {
  return {
    id: trip.id,
    flow_id: trip.flowId,
    flow_version: trip.flowVersion,
    contact_id: trip.contactId,
    external_id: trip.externalId === null || withAddresses ? trip.externalId : maskEmails(trip.externalId),
    status: trip.status,
    current_step: trip.currentStep,
    resume_at: trip.resumeAt?.toISOString() ?? null,
    started_at: trip.startedAt.toISOString(),
    completed_at: trip.completedAt?.toISOString() ?? null,
    ended_reason: trip.endedReason,
  };
}
