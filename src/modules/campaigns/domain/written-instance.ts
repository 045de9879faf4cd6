/** The stored form of an instance's content and timing, with REST's field names like all stored JSON. */
import { camelKeys, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { FrozenVariant, InstanceContent, InstanceTiming } from './instance.js';
import { abTestOf, writtenAbTest, type WrittenAbTest } from './written-campaign.js';

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
