/** A flow as REST shows it (sections 2.3 and 4.2), and the classes that describe it in the OpenAPI document. */
import { CONTENT_TYPES } from '../../../kernel/email-settings.js';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import type { FlowList } from '../application/flow.service.js';
import type { ListedFlow, Page } from '../domain/flow-filter.js';
import { REENTRY_POLICIES, THROTTLE_PERIODS } from '../domain/flow-settings.js';
import { FLOW_STATUSES, type Flow } from '../domain/flow.js';
import { writtenSettings, writtenStep } from '../domain/written-flow.js';

class EmailSendSettingsFields {
  @ApiPropertyOptional({ default: true, description: 'Only true in this release.' })
  ignore_frequency_capping?: boolean;
  @ApiPropertyOptional({ default: false, description: 'Only false in this release.' })
  count_for_frequency_capping?: boolean;
  @ApiPropertyOptional({ default: true, description: 'Only true in this release.' }) ignore_dnd?: boolean;
  @ApiPropertyOptional({ default: false }) send_to_unsubscribed?: boolean;
  @ApiPropertyOptional({ default: false, description: 'Only false in this release.' })
  send_window_enabled?: boolean;
  @ApiPropertyOptional({ example: '09:00' }) send_window_start?: string;
  @ApiPropertyOptional({ example: '17:00' }) send_window_end?: string;
  @ApiPropertyOptional({ default: 'contact', example: 'Europe/Berlin' }) send_window_timezone?: string;
}

class SendEmailStepFields {
  @ApiProperty({ enum: ['send_email'] }) type: 'send_email';
  @ApiProperty({ example: 'welcome' }) template_slug: string;
  @ApiPropertyOptional({ maxLength: 255, description: 'Goes before the template’s stored subject.' })
  subject?: string;
  @ApiPropertyOptional() email_send_settings?: EmailSendSettingsFields;
}

class WaitStepFields {
  @ApiProperty({ enum: ['wait'] }) type: 'wait';
  @ApiProperty({ example: '2d', description: 'An integer and h (hours) or d (days).' }) duration: string;
}

class UpdateContactStepFields {
  @ApiProperty({ enum: ['update_contact'] }) type: 'update_contact';
  @ApiProperty({
    type: Object,
    example: { product_type: 'pro', onboarded: true },
    description: 'Standard fields by their names, any other name is a property; null clears.',
  })
  set: object;
}

class FlowSettingsFields {
  @ApiPropertyOptional({ type: String, enum: REENTRY_POLICIES, default: 'never' }) reentry_policy?: string;
  @ApiPropertyOptional({ type: 'integer', nullable: true, default: null }) reentry_cooldown_days?:
    number | null;
  @ApiPropertyOptional({ default: false, description: 'Only false in this release.' })
  throttle_enabled?: boolean;
  @ApiPropertyOptional({ type: 'integer', nullable: true, default: null }) throttle_limit?: number | null;
  @ApiPropertyOptional({ type: String, enum: THROTTLE_PERIODS, nullable: true, default: null })
  throttle_period?: string | null;
}

const STEPS = {
  type: 'array',
  items: {
    oneOf: [SendEmailStepFields, WaitStepFields, UpdateContactStepFields].map((step) => ({
      $ref: getSchemaPath(step),
    })),
  },
  example: [
    { type: 'send_email', template_slug: 'welcome' },
    { type: 'wait', duration: '1d' },
    { type: 'update_contact', set: { onboarded: true } },
  ],
} as const;

/** Body of POST /v1/flows. */
@ApiExtraModels(SendEmailStepFields, WaitStepFields, UpdateContactStepFields)
export class CreateFlowBody {
  @ApiProperty({ minLength: 1, example: 'Welcome' }) name: string;
  @ApiProperty({ example: 'signed_up', description: 'Lower snake case.' }) trigger_event: string;
  @ApiProperty({ enum: CONTENT_TYPES }) content_type: string;
  @ApiPropertyOptional({ default: '' }) description?: string;
  @ApiPropertyOptional({ type: Object, default: {}, example: { plan: 'pro' } }) trigger_conditions?: object;
  @ApiPropertyOptional({ ...STEPS, items: { ...STEPS.items }, default: [] }) steps?: unknown[];
  @ApiPropertyOptional({ type: [String], default: [] }) tags?: string[];
  @ApiPropertyOptional() settings?: FlowSettingsFields;
}

/** A flow. */
@ApiExtraModels(SendEmailStepFields, WaitStepFields, UpdateContactStepFields)
export class FlowResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'Welcome' }) name: string;
  @ApiProperty() description: string;
  @ApiProperty({ example: 'signed_up' }) trigger_event: string;
  @ApiProperty({ type: Object }) trigger_conditions: object;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) segment_id: string | null;
  @ApiProperty({ ...STEPS, items: { ...STEPS.items } }) steps: readonly object[];
  @ApiProperty({ enum: CONTENT_TYPES }) content_type: string;
  @ApiProperty({ enum: FLOW_STATUSES }) status: string;
  @ApiProperty({ type: 'integer', example: 1 }) version: number;
  @ApiProperty({ type: [String] }) tags: readonly string[];
  @ApiProperty() settings: FlowSettingsFields;
  @ApiProperty({ description: 'Who made it: a member’s id, or `api_key:` and a key’s.' }) created_by: string;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
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
  @ApiProperty({ description: 'By status, as far as the other filters let them through.' })
  counts: FlowCountsResponse;
  @ApiProperty({ type: 'integer' }) total: number;
  @ApiProperty({ type: 'integer' }) limit: number;
  @ApiProperty({ type: 'integer' }) offset: number;
}

export function presentFlow(flow: Flow): FlowResponse {
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
  };
}

export function presentFlowList({ flows, counts, total }: FlowList, page: Page): FlowListResponse {
  return { flows: flows.map(presentListed), counts, total, ...page };
}

function presentListed(flow: ListedFlow): ListedFlowResponse {
  return { ...presentFlow(flow), trips_started: flow.tripsStarted, trips_completed: flow.tripsCompleted };
}
