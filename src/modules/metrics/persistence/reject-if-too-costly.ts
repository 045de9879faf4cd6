/** Turns the timeout of an expensive metric query into a client error instead of an internal one. */
import { DomainError } from '../../../kernel/domain-error.js';
import { isTooCostly } from '../../../platform/database/database.js';

/**
 * Waits for the answer.
 * @param advice how to reduce the cost of the query.
 * @throws DomainError work_too_costly when the database cancels the query.
 */
export async function rejectIfTooCostly<Result>(result: Promise<Result>, advice: string): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    if (!isTooCostly(error)) throw error;
    throw new DomainError('work_too_costly', `Counting this takes too long or too much memory: ${advice}.`);
  }
}
