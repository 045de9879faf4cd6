/** Bodies of the endpoints that change contacts, for the OpenAPI document; `domain/read-contact.ts` reads them. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonObject } from '../../../kernel/json.js';
import { WRITABLE_STATUSES } from '../domain/contact.js';
import { MAX_BULK_CONTACTS, ON_CONFLICT } from '../domain/read-bulk.js';

const text = (example: string): { type: 'string'; nullable: true; example: string } => ({
  type: 'string',
  nullable: true,
  example,
});

class ContactFields {
  @ApiPropertyOptional(text('ada@example.com')) email?: string | null;
  @ApiPropertyOptional(text('+44 20 7946 0000')) phone?: string | null;
  @ApiPropertyOptional(text('Ada')) first_name?: string | null;
  @ApiPropertyOptional(text('Lovelace')) last_name?: string | null;
  @ApiPropertyOptional(text('pro')) product_type?: string | null;
  @ApiPropertyOptional(text('Europe/London')) timezone?: string | null;
  @ApiPropertyOptional(text('en-GB')) locale?: string | null;
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { plan: 'pro' } })
  properties?: JsonObject;
  @ApiPropertyOptional({ type: [String], example: ['beta'] }) tags?: readonly string[];
}

/** Body of PATCH /v1/contacts/{external_id}. */
export class ContactPatchBody extends ContactFields {
  @ApiPropertyOptional({
    enum: WRITABLE_STATUSES,
    description:
      '`unsubscribed` opts the contact out of promotional mail. `subscribed` does not undo an opt-out: it ' +
      'returns 422 if the contact has opted out.',
  })
  subscription_status?: string;
  @ApiPropertyOptional({ type: [String], description: 'Tags to add. Alias: `add_tags`.' })
  $add_tags?: readonly string[];
  @ApiPropertyOptional({ type: [String], description: 'Tags to remove. Alias: `remove_tags`.' })
  $remove_tags?: readonly string[];
}

/** Body of POST /v1/contacts. */
export class ContactBody extends ContactPatchBody {
  @ApiProperty({
    example: 'u1',
    description: 'Your application’s ID for the contact; `user_id` is a deprecated alias.',
  })
  external_id: string;
}

/** Body of POST /v1/contacts/bulk. */
export class BulkBody {
  @ApiProperty({ type: [ContactBody], minItems: 1, maxItems: MAX_BULK_CONTACTS }) contacts: ContactBody[];
  @ApiPropertyOptional({
    enum: ON_CONFLICT,
    default: 'merge',
    description: '`replace` clears fields that an item omits; `update` is a deprecated alias of `merge`.',
  })
  on_conflict?: string;
}
