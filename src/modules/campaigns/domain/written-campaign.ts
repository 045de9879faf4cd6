/**
 * The stored form of a campaign's A/B test and recurrence, with REST's field names. The attribute conditions of a goal
 * are the author's own and stay unchanged.
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

/** Reads the stored test. */
export function abTestOf({ variants, goal, ...rest }: WrittenAbTest): AbTest {
  return { ...camelKeys(rest), variants: variants.map(camelKeys), goal: goal && camelKeys(goal) };
}

export function writtenRecurrence(recurrence: Recurrence): WrittenRecurrence {
  return { ...snakeKeys(recurrence), ends_at: recurrence.endsAt?.toISOString() ?? null };
}

/** Reads the stored recurrence. */
export function recurrenceOf({ ends_at: endsAt, ...rest }: WrittenRecurrence): Recurrence {
  return { ...camelKeys(rest), endsAt: endsAt === null ? null : new Date(endsAt) };
}
