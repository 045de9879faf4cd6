/** The input of a request that accepts none. */
import { Input } from './input-class.js';
import type { InputSource } from './input-table.js';
import { readInput } from './read-input.js';

@Input({}, { mayBeAbsent: true })
class NoInput {}

/**
 * Rejects any field. Nothing and an empty object are valid.
 * @throws DomainError as for any unknown field.
 */
export function refuseInput(value: unknown, source: InputSource): void {
  readInput(NoInput, value, source);
}
