/** The bodies of event ingestion for the OpenAPI document, section 4.10. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonObject } from '../../../kernel/json.js';

export class EventBody {
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

export class EventBatchBody {
  @ApiProperty({ type: [EventBody], minItems: 1, maxItems: 50 }) events: EventBody[];
}
