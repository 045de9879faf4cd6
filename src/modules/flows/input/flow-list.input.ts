/** Filters of the list of flows, section 4.2: query parameters in REST, arguments in GraphQL. */
import { CONTENT_TYPES, type ContentType } from '../../../kernel/email-settings.js';
import { Moment, Nested, OneOf, SearchText, Text, Uuid, Integer } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { Limit, Offset, PageArgs } from '../../../platform/input/page.input.js';
import { DEFAULT_LIMIT, MAX_FLOW_LIST_LIMIT, type FlowFilter } from '../domain/flow-filter.js';
import { FLOW_STATUSES, type FlowStatus } from '../domain/flow.js';

const MOMENT = { optional: true, example: '2026-03-02T09:00:00Z' } as const;

@Input({ graphql: 'FlowFilterInput' }, { nullIsAbsent: true })
export class FlowFilterInput implements FlowFilter {
  @Text({ optional: true, description: 'Matches part of the name.' }) search?: string;
  @OneOf(FLOW_STATUSES, { optional: true, only: 'graphql' }) status?: FlowStatus;
  @OneOf(FLOW_STATUSES, { optional: true, only: 'rest' }) statusFilter?: FlowStatus;
  @OneOf(CONTENT_TYPES, { optional: true }) contentType?: ContentType;
  @Text({ optional: true, description: 'Matches this exact tag.' }) tag?: string;

  @Uuid({ optional: true, only: 'graphql', description: 'Only flows limited to this segment.' })
  segmentId?: string;

  @Moment(MOMENT) createdAfter?: Date;
  @Moment(MOMENT) createdBefore?: Date;
  @Moment(MOMENT) updatedAfter?: Date;
  @Moment(MOMENT) updatedBefore?: Date;
}

/** Filters of the export; without a status, all flows except archived ones. */
@Input({})
export class FlowExportQuery {
  @Text({ optional: true, description: 'Matches part of the name.' }) search?: string;
  @OneOf(FLOW_STATUSES, { optional: true }) status?: FlowStatus;
  @OneOf(CONTENT_TYPES, { optional: true }) contentType?: ContentType;
}

@Input({})
export class FlowListQuery extends FlowFilterInput {
  @Limit(DEFAULT_LIMIT, MAX_FLOW_LIST_LIMIT) limit: number;
  @Offset() offset: number;
}

@Arguments()
export class FlowsArgs extends PageArgs {
  @Nested(FlowFilterInput, { fallback: {} }) filter: FlowFilterInput;
}

/** The requested filter; REST calls the status `status_filter`. */
export function flowFilterOf({ statusFilter, ...filter }: FlowFilterInput): FlowFilter {
  return statusFilter === undefined ? filter : { ...filter, status: statusFilter };
}

@Arguments()
export class FlowVersionsArgs extends PageArgs {
  @SearchText({ isId: true }) flowId: string;
}

@Arguments()
export class FlowVersionArgs {
  @SearchText({ isId: true }) flowId: string;
  @Integer() version: number;
}
