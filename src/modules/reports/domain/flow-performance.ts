/** Compares the performance of flows, individually and by tag, section 4.4. */
import {
  NO_EMAILS,
  NO_TRIPS,
  summedEmails,
  summedTrips,
  type TripCounts,
} from '../../metrics/domain/period-sums.js';
import {
  emailRates,
  measuredEmails,
  percentage,
  type EmailCounts,
  type MeasuredEmails,
} from '../../metrics/domain/rates.js';
import type { ShownRange } from './report-data.js';

export const LEAST_COMPARED = 2;
export const MOST_COMPARED = 4;
export const MOST_TAGS_ASKED = 100;
/** Maximum number of groups; the groups that most trips entered are kept. */
export const MOST_GROUPS = 1_000;

/** A flow with its rollups for a period. */
export interface FlowSums {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly isArchived: boolean;
  readonly trips: TripCounts;
  readonly emails: EmailCounts;
}

export interface PerformanceFigures {
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

export interface ComparedFlow extends PerformanceFigures {
  readonly flowId: string;
  readonly name: string;
  readonly unsubscribed: number;
}

export interface FlowComparison {
  readonly range: ShownRange;
  readonly flows: readonly ComparedFlow[];
  /** The id of the flow with the best rate; null if all rates are 0. */
  readonly best: Readonly<Record<ComparedRate, string | null>>;
}

export interface FlowGroup extends PerformanceFigures {
  readonly flows: number;
}

export interface TaggedGroup extends FlowGroup {
  readonly tag: string;
}

export interface FlowGroups {
  readonly range: ShownRange;
  readonly groups: readonly TaggedGroup[];
  /** Null if every flow has a tag, and if tags are requested. */
  readonly untagged: FlowGroup | null;
}

export function figuresOf(trips: TripCounts, emails: EmailCounts): PerformanceFigures {
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

export function comparedFlow({ id, name, trips, emails }: FlowSums): ComparedFlow {
  return { flowId: id, name, ...figuresOf(trips, emails), unsubscribed: emails.unsubscribed };
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
  flows: readonly FlowSums[],
  tags: readonly string[] | null,
): Pick<FlowGroups, 'groups' | 'untagged'> {
  const shown = flows.filter(
    ({ isArchived, trips, emails }) => !isArchived || trips.entered + emails.sent > 0,
  );
  const wanted = tags && new Set(tags);
  const byTag = new Map<string, FlowSums[]>();
  for (const flow of shown)
    for (const tag of new Set(flow.tags)) if (!wanted || wanted.has(tag)) listed(byTag, tag).push(flow);
  const untagged = wanted ? [] : shown.filter((flow) => flow.tags.length === 0);
  const groups = [...byTag].map(([tag, of]) => ({ tag, ...groupOf(of) }));
  return {
    groups: largest(groups).sort((a, b) => (a.tag < b.tag ? -1 : 1)),
    untagged: untagged.length === 0 ? null : groupOf(untagged),
  };
}

function groupOf(flows: readonly FlowSums[]): FlowGroup {
  const trips = summedTrips(flows.map((flow) => flow.trips));
  const emails = summedEmails(flows.map((flow) => flow.emails));
  return { flows: flows.length, ...figuresOf(trips, emails) };
}

function largest(groups: readonly TaggedGroup[]): TaggedGroup[] {
  if (groups.length <= MOST_GROUPS) return [...groups];
  return [...groups].sort((a, b) => b.entered - a.entered || b.sent - a.sent).slice(0, MOST_GROUPS);
}

/** Adds a flow's rollups of a period; missing ones are zero. */
export function withSums(
  flow: Omit<FlowSums, 'trips' | 'emails'>,
  trips: ReadonlyMap<string, TripCounts>,
  emails: ReadonlyMap<string, EmailCounts>,
): FlowSums {
  return { ...flow, trips: trips.get(flow.id) ?? NO_TRIPS, emails: emails.get(flow.id) ?? NO_EMAILS };
}

function listed(byTag: Map<string, FlowSums[]>, tag: string): FlowSums[] {
  const flows = byTag.get(tag) ?? [];
  byTag.set(tag, flows);
  return flows;
}
