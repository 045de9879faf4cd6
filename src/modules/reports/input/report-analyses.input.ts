/** The input of analyses, section 4.4, shared by REST bodies and GraphQL arguments. */
import { DATE_RANGE_PRESETS, DEFAULT_DATE_RANGE, type DateRangeInput } from '../../../kernel/date-range.js';
import { isStorableText } from '../../../kernel/json.js';
import { isLonger } from '../../../kernel/text-length.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import {
  OneOf,
  SearchText,
  Text,
  Texts,
  Unvalidated,
  Uuids,
  Integer,
} from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import type { JointFlaw } from '../../../platform/input/input-table.js';
import { MAX_TAG_CHARS } from '../../flows/domain/flow-bounds.js';
import {
  COHORT_PERIODS,
  COHORTS_BY,
  DEFAULT_COHORT_PERIODS,
  MAX_COHORT_PERIODS,
  RETURNS_BY,
  type CohortBy,
  type CohortMembers,
  type CohortPeriod,
  type CohortReturn,
  type ReturnBy,
} from '../../metrics/domain/cohort.js';
import { MIN_COMPARED_FLOWS, MAX_COMPARED_FLOWS, MAX_TAGS } from '../domain/flow-performance.js';
import { FUNNEL_TYPES, type FunnelType } from '../domain/funnel.js';

export const FunnelTypeEnum = graphqlEnum('FunnelType', FUNNEL_TYPES);
export const CohortByEnum = graphqlEnum('CohortBy', COHORTS_BY);
export const ReturnByEnum = graphqlEnum('CohortReturnBy', RETURNS_BY);
export const CohortPeriodEnum = graphqlEnum('CohortPeriod', COHORT_PERIODS);

const OPTIONAL = { optional: true, nullable: 'absent' } as const;
const EVENT = { ...OPTIONAL, min: 1, max: 255, example: 'order_placed' } as const;
const FLOW = { ...OPTIONAL, isId: true, format: 'uuid' } as const;

/** The period of an analysis. */
@Input({})
export class AnalysisPeriodInput implements DateRangeInput {
  @OneOf(DATE_RANGE_PRESETS, {
    ...OPTIONAL,
    default: DEFAULT_DATE_RANGE,
    description: 'The preset period if no dates are given. With only an end date, the length of the period.',
  })
  dateRange?: string;

  @Unvalidated({
    ...OPTIONAL,
    example: '2026-03-01',
    description:
      'ISO 8601 date or date-time; UTC unless it has an offset. Without an end date, the range ends now.',
  })
  fromDate?: unknown;

  @Unvalidated({
    ...OPTIONAL,
    example: '2026-03-31',
    description: 'ISO 8601 date or date-time; a date without a time includes the whole day.',
  })
  toDate?: unknown;
}

@Input({ rest: 'FunnelBody' }, { together: flowOfFunnel })
export class FunnelInput extends AnalysisPeriodInput {
  @OneOf(FUNNEL_TYPES, { enumType: FunnelTypeEnum }) type: FunnelType;

  @SearchText({
    ...FLOW,
    description: 'Required for a flow funnel. For an email funnel, only messages of this flow.',
  })
  flowId?: string;

  @SearchText({ ...FLOW, description: 'Email funnel only: only messages of this campaign.' })
  campaignId?: string;

  @SearchText({
    ...OPTIONAL,
    description: 'Email funnel only: only messages of this template, by slug.',
  })
  template?: string;
}

@Input({ rest: 'CohortBody' }, { together: subjectOfCohort })
export class CohortInput extends AnalysisPeriodInput {
  @OneOf(COHORTS_BY, { fallback: 'contact_created', nullable: 'absent', enumType: CohortByEnum })
  cohortBy: CohortBy;

  @SearchText({ ...FLOW, description: 'Required for, and only valid with, flow_entered.' }) flowId?: string;
  @Text({ ...EVENT, description: 'Required for, and only valid with, event.' }) eventName?: string;

  @OneOf(RETURNS_BY, {
    ...OPTIONAL,
    default: 'any',
    enumType: ReturnByEnum,
    description: 'What counts as activity. Defaults to event if only return_event is given.',
  })
  returnBy?: ReturnBy;

  @Text({
    ...EVENT,
    description: 'Only with event: counts only events with this name instead of all events.',
  })
  returnEvent?: string;

  @OneOf(COHORT_PERIODS, { fallback: 'week', nullable: 'absent', enumType: CohortPeriodEnum })
  period: CohortPeriod;

  @Integer({
    fallback: DEFAULT_COHORT_PERIODS,
    nullable: 'absent',
    min: 1,
    max: MAX_COHORT_PERIODS,
    description: 'Number of periods per cohort, including its own.',
  })
  periods: number;
}

@Input({ rest: 'CompareFlowsBody' }, { together: duplicateFlows })
export class CompareFlowsInput extends AnalysisPeriodInput {
  @Uuids({ min: MIN_COMPARED_FLOWS, max: MAX_COMPARED_FLOWS, description: 'Without duplicates.' })
  flowIds: readonly string[];
}

@Input({ rest: 'FlowGroupsBody' }, { mayBeAbsent: true })
export class FlowGroupsInput extends AnalysisPeriodInput {
  @Texts({
    ...OPTIONAL,
    max: MAX_TAGS,
    check: tagsProblem,
    description: 'Only these tags. All tags if empty or omitted.',
  })
  tags?: readonly string[];
}

@Arguments()
export class FunnelArgs extends FunnelInput {}

@Arguments()
export class CohortArgs extends CohortInput {}

@Arguments()
export class CompareFlowsArgs extends CompareFlowsInput {}

@Arguments()
export class FlowGroupsArgs extends FlowGroupsInput {}

/** Returns the members of the cohorts. Validation has ensured that the required fields exist. */
export function membersOf({ cohortBy, flowId = '', eventName = '' }: CohortInput): CohortMembers {
  if (cohortBy === 'flow_entered') return { by: cohortBy, flowId };
  return cohortBy === 'event' ? { by: cohortBy, eventName } : { by: cohortBy };
}

export function returnsOf({ returnBy, returnEvent }: CohortInput): CohortReturn {
  const by = returnBy ?? (returnEvent === undefined ? 'any' : 'event');
  return by === 'event' && returnEvent !== undefined ? { by, eventName: returnEvent } : { by };
}

/** The requested tags; null for all. */
export function tagsOf({ tags }: FlowGroupsInput): readonly string[] | null {
  return tags && tags.length > 0 ? tags : null;
}

function flowOfFunnel(input: object): readonly JointFlaw[] {
  const { type, flowId } = input as FunnelInput;
  return type === 'flow' && flowId === undefined
    ? [{ member: 'flowId', message: 'is required for a flow funnel' }]
    : [];
}

function subjectOfCohort(input: object): readonly JointFlaw[] {
  const { cohortBy, flowId, eventName } = input as CohortInput;
  if (cohortBy === 'flow_entered' && flowId === undefined)
    return [{ member: 'flowId', message: 'is required for flow_entered' }];
  if (cohortBy === 'event' && eventName === undefined)
    return [{ member: 'eventName', message: 'is required for event' }];
  return [];
}

function duplicateFlows(input: object): readonly JointFlaw[] {
  const { flowIds } = input as CompareFlowsInput;
  const ids = flowIds.map((id) => id.toLowerCase());
  return new Set(ids).size === ids.length
    ? []
    : [{ member: 'flowIds', message: 'must not contain duplicates' }];
}

function tagsProblem(tags: readonly string[]): string | undefined {
  return tags.every((tag) => isStorableText(tag) && !isLonger(tag, MAX_TAG_CHARS))
    ? undefined
    : `must contain strings of at most ${MAX_TAG_CHARS} characters`;
}
