/** A flow in REST (sections 2.3 and 4.2), and the classes that describe it in the OpenAPI document. */
import { CONTENT_TYPES } from '../../../kernel/email-settings.js';
import { snakeCase, snakeKeys } from '../../../kernel/letter-case.js';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { InspectWarningOutput } from '../../inspect/output/inspect-warning.output.js';
import type { FlowList } from '../application/flow.service.js';
import type { ListedFlow, Page } from '../domain/flow-filter.js';
import { FLOW_STATUSES, type Flow } from '../domain/flow.js';
import { STEP_WARNING_CODES, stepWarnings } from '../domain/step-warnings.js';
import { writtenSettings, writtenStep, type WrittenSettings } from '../domain/written-flow.js';
import { EXAMPLE_STEPS, FlowSettingsInput } from '../input/flow.input.js';
import { STEP_SCHEMAS, STEPS } from '../input/step.input.js';

export const STEP_LIST = {
  type: 'array',
  items: { oneOf: STEP_SCHEMAS.map((schema) => ({ $ref: getSchemaPath(schema) })) },
  example: EXAMPLE_STEPS,
} as const;

@ApiExtraModels(...Object.values(STEPS.classes))
export class FlowResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'Welcome' }) name: string;
  @ApiProperty() description: string;
  @ApiProperty({ example: 'signed_up' }) trigger_event: string;
  @ApiProperty({ type: Object }) trigger_conditions: object;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) segment_id: string | null;
  @ApiProperty({ ...STEP_LIST, items: { ...STEP_LIST.items } }) steps: readonly object[];
  @ApiProperty({ enum: CONTENT_TYPES }) content_type: string;
  @ApiProperty({ enum: FLOW_STATUSES }) status: string;
  @ApiProperty({ type: 'integer', example: 1 }) version: number;
  @ApiProperty({ type: [String] }) tags: readonly string[];
  @ApiProperty({ type: FlowSettingsInput }) settings: WrittenSettings;
  @ApiProperty({ description: 'Who created the flow: a member ID, or `api_key:` followed by a key ID.' })
  created_by: string;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
}

class StepWarningResponse {
  @ApiProperty({ enum: STEP_WARNING_CODES, description: 'New codes may be added.' }) code: string;
  @ApiProperty({ example: 'steps[2].branches[0].steps[1]' }) path: string;
  @ApiProperty({ example: 'receipt' }) template_slug: string;
  @ApiProperty() message: string;
}

/** A flow that was activated. */
export class ActivatedFlowResponse extends FlowResponse {
  @ApiPropertyOptional({
    type: [InspectWarningOutput],
    description: 'Open critical findings of the flow’s templates, at most 100. Omitted if there are none.',
  })
  warnings?: readonly object[];
  @ApiPropertyOptional({
    type: [StepWarningResponse],
    description: 'Steps that may not work as intended, at most 100. Omitted if there are none.',
  })
  step_warnings?: readonly StepWarningResponse[];
}

/** A flow in a list. */
export class ListedFlowResponse extends FlowResponse {
  @ApiProperty({ type: 'integer', description: 'In the caller’s environment.' }) trips_started: number;
  @ApiProperty({ type: 'integer', description: 'In the caller’s environment.' }) trips_completed: number;
}

export class FlowCountsResponse {
  @ApiProperty({ type: 'integer' }) all: number;
  @ApiProperty({ type: 'integer' }) active: number;
  @ApiProperty({ type: 'integer' }) paused: number;
  @ApiProperty({ type: 'integer' }) draft: number;
  @ApiProperty({ type: 'integer' }) stopped: number;
}

/** A page of flows. */
export class FlowListResponse {
  @ApiProperty({ type: [ListedFlowResponse] }) flows: readonly ListedFlowResponse[];
  @ApiProperty({ description: 'Number of flows by status. All filters except the status filter apply.' })
  counts: FlowCountsResponse;
  @ApiProperty({ type: 'integer' }) total: number;
  @ApiProperty({ type: 'integer' }) limit: number;
  @ApiProperty({ type: 'integer' }) offset: number;
}

export function presentFlow(flow: Flow): FlowResponse {
  return presented(flow, {});
}

/** `step_warnings`, if there are any. */
export function presentStepWarnings(flow: Flow): Pick<ActivatedFlowResponse, 'step_warnings'> {
  const warnings = stepWarnings(flow, snakeCase);
  return warnings.length === 0 ? {} : { step_warnings: warnings.map(snakeKeys) };
}

/** Adds the extra fields of a list to the same object instead of copying it: a page has two hundred. */
function presented<More extends object>(flow: Flow, more: More): FlowResponse & More {
  return {
    id: flow.id,
    name: flow.name,
    description: flow.description,
    trigger_event: flow.triggerEvent,
    trigger_conditions: flow.triggerConditions,
    segment_id: flow.segmentId,
    steps: flow.steps.map(writtenStep),
    content_type: flow.contentType,
    status: flow.status,
    version: flow.version,
    tags: flow.tags,
    settings: writtenSettings(flow.settings),
    created_by: flow.createdBy,
    created_at: flow.createdAt.toISOString(),
    updated_at: flow.updatedAt.toISOString(),
    ...more,
  };
}

export function presentFlowList({ flows, counts, total }: FlowList, page: Page): FlowListResponse {
  return { flows: flows.map(presentListed), counts, total, ...page };
}

function presentListed(flow: ListedFlow): ListedFlowResponse {
  return presented(flow, { trips_started: flow.tripsStarted, trips_completed: flow.tripsCompleted });
}
