/** Turns the timeout of an expensive metric query into a client error instead of an internal one. */
import { DomainError } from '../../../kernel/domain-error.js';
import { isTooCostly } from '../../../platform/database/database.js';

/**
 * Waits for the answer.
 * @param advice how to reduce the cost of the query.
 * @throws DomainError work_too_costly when the database cancels the query.
 */
export async function inTime<Answer>(answer: Promise<Answer>, advice: string): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!isTooCostly(error)) throw error;
    throw new DomainError('work_too_costly', `Counting this takes too long or too much memory: ${advice}.`);
  }
}
