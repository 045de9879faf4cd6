/** The input of a call that takes none. */
import { Input } from './input-class.js';
import type { Face } from './input-table.js';
import { readInput } from './read-input.js';

@Input({}, { mayBeAbsent: true })
class NoInput {}

/**
 * Refuses whatever fields there are. Nothing and an empty object pass.
 * @throws DomainError as any other field that is not known
 */
export function refuseInput(value: unknown, face: Face): void {
  readInput(NoInput, value, face);
}
