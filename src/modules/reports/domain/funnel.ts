/** Funnels, section 4.4: how many reached each stage, relative to the first stage and to the previous one. */
import { isUnmeasured } from '../../metrics/domain/measured.js';
import { measuredEmails, percentage, type EmailCounts } from '../../metrics/domain/rates.js';
import type { TripCounts } from '../../metrics/domain/period-totals.js';
import type { Goal } from '../../flows/domain/goal.js';
import { stepsWithPaths } from '../../flows/domain/step-tree.js';
import { stepLabels } from '../../flows/domain/step-labels.js';
import type { Step } from '../../flows/domain/step.js';
import type { ReportRange } from './report-data.js';

export const FUNNEL_TYPES = ['email', 'flow'] as const;
export type FunnelType = (typeof FUNNEL_TYPES)[number];

export interface FunnelStage {
  /** Stable while its subject exists: `step_3`, or `goal_` and the goal's id. */
  readonly key: string;
  readonly label: string;
  readonly count: number;
  /** Percent of the first stage. */
  readonly rateFromStart: number;
  /** Percent of the previous stage; for the first stage, of itself. */
  readonly rateFromPrevious: number;
  /** Whether the stage was measured: a count that was not measured is 0 and means nothing. */
  readonly isMeasured: boolean;
}

export interface Funnel {
  readonly type: FunnelType;
  readonly range: ReportRange;
  readonly stages: readonly FunnelStage[];
}

export type CountedStage = Pick<FunnelStage, 'key' | 'label' | 'count'> & { readonly isMeasured?: boolean };

/** Returns the stages with their rates. */
export function withRates(stages: readonly CountedStage[]): FunnelStage[] {
  const start = stages[0]?.count ?? 0;
  return stages.map((stage, index) => ({
    isMeasured: true,
    ...stage,
    rateFromStart: percentage(stage.count, start),
    rateFromPrevious: percentage(stage.count, stages[index - 1]?.count ?? stage.count),
  }));
}

export function emailStages(counts: EmailCounts): CountedStage[] {
  const { sent, delivered, opened, clicked } = counts;
  const { deliveries, opens, clicks } = measuredEmails(counts);
  return [
    { key: 'sent', label: 'Sent', count: sent },
    { key: 'delivered', label: 'Delivered', count: delivered, isMeasured: !isUnmeasured(deliveries) },
    { key: 'opened', label: 'Opened', count: opened, isMeasured: !isUnmeasured(opens) },
    { key: 'clicked', label: 'Clicked', count: clicked, isMeasured: !isUnmeasured(clicks) },
  ];
}

/** What is known about the trips through a flow. */
export interface FlowProgress {
  readonly trips: TripCounts;
  /** By step id. */
  readonly reached: ReadonlyMap<number, number>;
  /** By goal id. */
  readonly converted: ReadonlyMap<string, number>;
}

/** Lists the steps in the order of the flow; those within a split follow it. */
export function flowStages(
  steps: readonly Step[],
  goals: readonly Pick<Goal, 'id' | 'name'>[],
  { trips, reached, converted }: FlowProgress,
): CountedStage[] {
  return [
    { key: 'entered', label: 'Entered', count: trips.entered },
    ...stepsWithPaths(steps).map(({ step }) => ({
      key: `step_${step.id}`,
      label: labelOf(step),
      count: reached.get(step.id) ?? 0,
    })),
    { key: 'completed', label: 'Completed', count: trips.completed },
    ...goals.map(({ id, name }) => ({
      key: `goal_${id}`,
      label: `Goal: ${name}`,
      count: converted.get(id) ?? 0,
    })),
  ];
}

function labelOf(step: Step): string {
  const { title, detail } = stepLabels(step);
  return detail === '' ? title : `${title}: ${detail}`;
}
