/** Ids of trips that never were: they look random, so that splits share them out, and are the same in every run. */
import { createHash } from 'node:crypto';

/** A UUID that follows from the flow and the event that would have started the trip. */
export function simulatedTripId(flowId: string, eventId: string): string {
  const digits = createHash('sha256').update(`${flowId} ${eventId}`).digest('hex');
  return (
    `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-` +
    `a${digits.slice(17, 20)}-${digits.slice(20, 32)}`
  );
}
