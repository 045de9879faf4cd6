/** What a question of figures that takes too long is answered: that it does, and no fault of the house. */
import { DomainError } from '../../../kernel/domain-error.js';
import { isTooCostly } from '../../../platform/database/database.js';

/**
 * Waits for the answer.
 * @param advice how to ask for less.
 * @throws DomainError work_too_costly when the database gives the question up.
 */
export async function inTime<Answer>(answer: Promise<Answer>, advice: string): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!isTooCostly(error)) throw error;
    throw new DomainError('work_too_costly', `Counting this takes too long or too much memory: ${advice}.`);
  }
}
