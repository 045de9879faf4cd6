/**
 * REST endpoints of event ingestion, section 4.10: 202 if and only if the event is committed. The handlers take the
 * whole request, because with decorated parameters Nest would wait for pipes at every event.
 */
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiOperation,
  ApiTags,
  ApiProperty,
  ApiPropertyOptional,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { DomainError, invalidFields, missingField } from '../../../kernel/domain-error.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { scopeOf } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { principalOf } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { IngestService } from '../application/ingest.service.js';
import { EventBatchOutput, EventOutput } from '../output/event.output.js';

/** The bodies of event ingestion for the OpenAPI document, section 4.10. */
class EventBody {
  @ApiProperty({ example: 'u1', description: 'External ID of the contact; `user_id` is a deprecated alias.' })
  external_id: string;
  @ApiProperty({ example: 'signed_up', description: 'Lower snake case.' }) event_name: string;
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { plan: 'pro' } })
  attributes?: JsonObject;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { email: 'ada@example.com', first_name: 'Ada' },
    description:
      'Contact fields to update before the event is processed. Aliases: contact_override, contact_overrides.',
  })
  contact?: JsonObject;
  @ApiPropertyOptional({ example: 'order-4711', description: 'Reusing a key within 24 hours returns 409.' })
  idempotency_key?: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'Defaults to the current time.' })
  occurred_at?: string;
}

class EventBatchBody {
  @ApiProperty({ type: [EventBody], minItems: 1, maxItems: 50 }) events: EventBody[];
}

const MAX_BATCH_EVENTS = 50;

@ApiTags('events')
@Controller('v1/events')
export class EventsController {
  constructor(private readonly ingest: IngestService) {}

  @Post()
  @HttpCode(202)
  @Requires({ permission: 'events:write', keyScopes: ['data'] })
  @ApiOperation({ summary: 'Send an event' })
  @ApiBody({ type: EventBody })
  @ApiAcceptedResponse({ type: EventOutput })
  @ApiErrors(
    'validation_error',
    'invalid_event_name',
    'invalid_email',
    'duplicate_event',
    'invalid_field',
    'plan_limit_reached',
  )
  async accept(@Req() request: FastifyRequest): Promise<object> {
    const principal = principalOf(request);
    const eventId = await this.ingest.accept(scopeOf(principal), principal.plan, request.body);
    return restOf(EventOutput, { eventId, status: 'accepted' });
  }

  @Post('batch')
  @HttpCode(202)
  @Requires({ permission: 'events:write', keyScopes: ['data'] })
  @ApiOperation({ summary: 'Send up to 50 events; an invalid event does not affect the others' })
  @ApiBody({ type: EventBatchBody })
  @ApiAcceptedResponse({ type: EventBatchOutput })
  @ApiErrors('validation_error', 'invalid_field')
  async acceptBatch(@Req() request: FastifyRequest): Promise<object> {
    const principal = principalOf(request);
    const outcome = await this.ingest.acceptBatch(scopeOf(principal), principal.plan, eventsOf(request.body));
    return restOf(EventBatchOutput, outcome);
  }
}

function eventsOf(body: unknown): readonly unknown[] {
  if (!isJsonObject(body)) throw new DomainError('validation_error', 'The body must be a JSON object.');
  const { events, ...others } = body;
  const unknown = Object.keys(others);
  if (unknown.length)
    throw invalidFields(unknown.map((field) => ({ field, message: 'is not a known field' })));
  if (events === undefined) throw missingField('events');
  if (!Array.isArray(events) || events.length < 1 || events.length > MAX_BATCH_EVENTS)
    throw invalidFields([{ field: 'events', message: `must be a list of 1 to ${MAX_BATCH_EVENTS} events` }]);
  return events;
}
