/** The stored form of campaigns and instances, with REST's field names like all stored JSON. */
import { camelKeys, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { AbGoal, AbTest, AbVariant } from './ab-test.js';
import type { Recurrence } from './recurrence.js';
import type { FrozenVariant, InstanceContent, InstanceTiming } from './instance.js';

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

/** The stored form of an instance's content and timing, with REST's field names like all stored JSON. */
type WrittenVariant = Omit<SnakeKeys<FrozenVariant>, 'sender'> & {
  readonly sender: SnakeKeys<FrozenVariant['sender']>;
};

export type WrittenContent = SnakeKeys<{
  readonly segmentId: string;
  readonly variants: readonly WrittenVariant[];
  readonly abTest: WrittenAbTest | null;
}>;

export type WrittenTiming = SnakeKeys<InstanceTiming>;

export function writtenContent({ segmentId, variants, abTest }: InstanceContent): WrittenContent {
  return {
    segment_id: segmentId,
    variants: variants.map(({ sender, ...variant }) => ({
      ...snakeKeys(variant),
      sender: snakeKeys(sender),
    })),
    ab_test: abTest && writtenAbTest(abTest),
  };
}

/** Reads the stored content. */
export function contentOf({
  segment_id: segmentId,
  variants,
  ab_test: abTest,
}: WrittenContent): InstanceContent {
  return {
    segmentId,
    variants: variants.map(({ sender, ...variant }) => ({
      ...camelKeys(variant),
      sender: camelKeys(sender),
    })),
    abTest: abTest && abTestOf(abTest),
  };
}

export function writtenTiming(timing: InstanceTiming): WrittenTiming {
  return snakeKeys(timing);
}

/** Reads the stored timing. */
export function timingOf(timing: WrittenTiming): InstanceTiming {
  return camelKeys(timing);
}
