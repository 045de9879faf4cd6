/** The error for changes that a flow does not allow while trips are in flight, section 4.2. */
import { DomainError } from '../../../kernel/domain-error.js';

/** @param remedy what to do instead. */
export function tripsInFlightError(count: number, remedy: string): DomainError {
  const trips = count === 1 ? '1 trip is' : `${count} trips are`;
  return new DomainError('flow_has_inflight_trips', `${trips} in flight: ${remedy}.`, {
    inflight_count: count,
  });
}
