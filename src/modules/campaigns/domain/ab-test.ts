/** The settings of an A/B test. */
import type { JsonObject } from '../../../kernel/json.js';
export const AB_METRICS = ['open_rate', 'click_rate', 'conversion_rate'] as const;
export type AbMetric = (typeof AB_METRICS)[number];
export interface AbVariant {
  readonly name: string;
  readonly subject: string | null;
  readonly templateId: string | null;
  readonly senderName: string | null;
}
export interface AbGoal {
  readonly eventName: string;
  readonly eventFilters: JsonObject;
  readonly windowHours: number;
}
export interface AbTest {
  readonly variants: readonly AbVariant[];
  readonly testPercentage: number;
  readonly metric: AbMetric;
  readonly goal: AbGoal | null;
  readonly durationHours: number;
  readonly sendWinner: 'auto' | 'manual';
  readonly holdoutPercentage: number;
}
