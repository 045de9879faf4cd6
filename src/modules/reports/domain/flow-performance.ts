/** Compares the performance of flows, individually and by tag, section 4.4. */
import {
  NO_EMAILS,
  NO_TRIPS,
  sumEmailCounts,
  sumTripCounts,
  type TripCounts,
} from '../../metrics/domain/period-totals.js';
import {
  emailRates,
  measuredEmails,
  percentage,
  type EmailCounts,
  type MeasuredEmails,
} from '../../metrics/domain/rates.js';
import type { ReportRange } from './report-data.js';

export const MIN_COMPARED_FLOWS = 2;
export const MAX_COMPARED_FLOWS = 4;
export const MAX_TAGS = 100;
/** Maximum number of groups; the groups that most trips entered are kept. */
export const MAX_GROUPS = 1_000;

/** A flow with its rollups for a period. */
export interface FlowTotals {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly isArchived: boolean;
  readonly trips: TripCounts;
  readonly emails: EmailCounts;
}

export interface FlowPerformance {
  /** Trips that entered in the period. */
  readonly entered: number;
  /** Trips among `entered` that are completed by now. */
  readonly completed: number;
  readonly completionRate: number;
  readonly sent: number;
  /** Null if no message was measured. */
  readonly openRate: number | null;
  readonly clickRate: number | null;
  readonly measured: MeasuredEmails;
  /** Trips that entered in the period and reached a goal. */
  readonly conversions: number;
  readonly conversionRate: number;
}

export const COMPARED_RATES = ['completionRate', 'openRate', 'clickRate', 'conversionRate'] as const;
export type ComparedRate = (typeof COMPARED_RATES)[number];

export interface ComparedFlow extends FlowPerformance {
  readonly flowId: string;
  readonly name: string;
  readonly unsubscribed: number;
}

export interface FlowComparison {
  readonly range: ReportRange;
  readonly flows: readonly ComparedFlow[];
  /** The id of the flow with the best rate; null if all rates are 0. */
  readonly best: Readonly<Record<ComparedRate, string | null>>;
}

export interface FlowGroup extends FlowPerformance {
  readonly flows: number;
}

export interface TaggedGroup extends FlowGroup {
  readonly tag: string;
}

export interface FlowGroups {
  readonly range: ReportRange;
  readonly groups: readonly TaggedGroup[];
  /** Null if every flow has a tag, and if tags are requested. */
  readonly untagged: FlowGroup | null;
}

export function performanceOf(trips: TripCounts, emails: EmailCounts): FlowPerformance {
  const { entered, completed, converted } = trips;
  const { openRate, clickRate } = emailRates(emails);
  return {
    entered,
    completed,
    completionRate: percentage(completed, entered),
    sent: emails.sent,
    openRate,
    clickRate,
    measured: measuredEmails(emails),
    conversions: converted,
    conversionRate: percentage(converted, entered),
  };
}

export function comparedFlow({ id, name, trips, emails }: FlowTotals): ComparedFlow {
  return { flowId: id, name, ...performanceOf(trips, emails), unsubscribed: emails.unsubscribed };
}

/** Of equally good flows, the first wins. */
export function bestOf(flows: readonly ComparedFlow[]): Record<ComparedRate, string | null> {
  const best = (rate: ComparedRate): string | null =>
    flows.reduce<ComparedFlow | null>(
      (leader, flow) => ((flow[rate] ?? 0) > (leader?.[rate] ?? 0) ? flow : leader),
      null,
    )?.flowId ?? null;
  return {
    completionRate: best('completionRate'),
    openRate: best('openRate'),
    clickRate: best('clickRate'),
    conversionRate: best('conversionRate'),
  };
}

/**
 * Groups flows by tag, sorted; a flow with several tags is in several groups. Archived flows count if they have data in
 * the period.
 * @param tags restricts the result to these tags, if given; a tag without flows forms no group.
 */
export function flowGroups(
  flows: readonly FlowTotals[],
  tags: readonly string[] | null,
): Pick<FlowGroups, 'groups' | 'untagged'> {
  const relevantFlows = flows.filter(
    ({ isArchived, trips, emails }) => !isArchived || trips.entered + emails.sent > 0,
  );
  const requestedTags = tags && new Set(tags);
  const byTag = new Map<string, FlowTotals[]>();
  for (const flow of relevantFlows)
    for (const tag of new Set(flow.tags))
      if (!requestedTags || requestedTags.has(tag)) flowListOf(byTag, tag).push(flow);
  const untagged = requestedTags ? [] : relevantFlows.filter((flow) => flow.tags.length === 0);
  const groups = [...byTag].map(([tag, flowsOfTag]) => ({ tag, ...groupOf(flowsOfTag) }));
  return {
    groups: largestGroups(groups).sort((a, b) => (a.tag < b.tag ? -1 : 1)),
    untagged: untagged.length === 0 ? null : groupOf(untagged),
  };
}

function groupOf(flows: readonly FlowTotals[]): FlowGroup {
  const trips = sumTripCounts(flows.map((flow) => flow.trips));
  const emails = sumEmailCounts(flows.map((flow) => flow.emails));
  return { flows: flows.length, ...performanceOf(trips, emails) };
}

function largestGroups(groups: readonly TaggedGroup[]): TaggedGroup[] {
  if (groups.length <= MAX_GROUPS) return [...groups];
  return [...groups].sort((a, b) => b.entered - a.entered || b.sent - a.sent).slice(0, MAX_GROUPS);
}

/** Adds a flow's rollups of a period; missing ones are zero. */
export function withTotals(
  flow: Omit<FlowTotals, 'trips' | 'emails'>,
  trips: ReadonlyMap<string, TripCounts>,
  emails: ReadonlyMap<string, EmailCounts>,
): FlowTotals {
  return { ...flow, trips: trips.get(flow.id) ?? NO_TRIPS, emails: emails.get(flow.id) ?? NO_EMAILS };
}

function flowListOf(byTag: Map<string, FlowTotals[]>, tag: string): FlowTotals[] {
  const flows = byTag.get(tag) ?? [];
  byTag.set(tag, flows);
  return flows;
}
