/**
 * A campaign's A/B test and recurrence as they are written: under the names of REST, which are also those of the stored
 * rows. What a goal asks of an event's attributes is the author's own and stays as it is.
 */
import { camelKeys, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { AbGoal, AbTest, AbVariant } from './ab-test.js';
import type { Recurrence } from './recurrence.js';

export type WrittenAbTest = Omit<SnakeKeys<AbTest>, 'variants' | 'goal'> & {
  readonly variants: readonly SnakeKeys<AbVariant>[];
  readonly goal: SnakeKeys<AbGoal> | null;
};

export type WrittenRecurrence = SnakeKeys<Omit<Recurrence, 'endsAt'> & { readonly endsAt: string | null }>;

export function writtenAbTest(test: AbTest): WrittenAbTest {
  const { variants, goal, ...rest } = test;
  return { ...snakeKeys(rest), variants: variants.map(snakeKeys), goal: goal && snakeKeys(goal) };
}

/** The test that was written so. */
export function abTestOf({ variants, goal, ...rest }: WrittenAbTest): AbTest {
  return { ...camelKeys(rest), variants: variants.map(camelKeys), goal: goal && camelKeys(goal) };
}

export function writtenRecurrence(recurrence: Recurrence): WrittenRecurrence {
  return { ...snakeKeys(recurrence), ends_at: recurrence.endsAt?.toISOString() ?? null };
}

/** The recurrence that was written so. */
export function recurrenceOf({ ends_at: endsAt, ...rest }: WrittenRecurrence): Recurrence {
  return { ...camelKeys(rest), endsAt: endsAt === null ? null : new Date(endsAt) };
}
