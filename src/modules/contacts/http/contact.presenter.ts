/** A contact in REST (section 2.11), and the classes that describe it in the OpenAPI document. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonObject } from '../../../kernel/json.js';
import { snakeCase, snakeKeys } from '../../../kernel/letter-case.js';
import type { BulkOutcome } from '../application/contact-bulk.service.js';
import type { UpsertedContact } from '../application/contact-upserts.js';
import { SUBSCRIPTION_STATUSES, WRITABLE_STATUSES, type Contact } from '../domain/contact.js';
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

class BulkErrorResponse {
  @ApiProperty({ example: 3 }) index: number;
  @ApiProperty({ type: String, nullable: true, example: 'u4' }) external_id: string | null;
  @ApiProperty({ example: 'invalid_email' }) code: string;
  @ApiProperty() detail: string;
}

/** The result for each item. */
export class BulkResponse {
  @ApiProperty({ example: 1_000 }) total: number;
  @ApiProperty({ example: 499 }) created: number;
  @ApiProperty({ example: 480 }) updated: number;
  @ApiProperty({ example: 20, description: 'Number of existing contacts that did not change.' })
  skipped: number;
  @ApiProperty({ type: [BulkErrorResponse] }) errors: readonly BulkErrorResponse[];
}

export class ContactResponse extends ContactFields {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'u1' }) external_id: string;
  @ApiProperty({ enum: SUBSCRIPTION_STATUSES }) subscription_status: string;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
}

/** A contact after its upsert. */
export class UpsertedContactResponse extends ContactResponse {
  @ApiProperty({ description: 'Whether the contact was created.' }) created: boolean;
  @ApiProperty({ type: [String], example: ['email'], description: 'Fields whose values changed.' })
  updated_fields: readonly string[];
}

/** The record, with the field names of section 2.11 and the payloads page. */
export function presentContact(contact: Contact): ContactResponse {
  return {
    ...snakeKeys(contact),
    created_at: contact.createdAt.toISOString(),
    updated_at: contact.updatedAt.toISOString(),
  };
}

export function presentUpsert({ contact, created, updatedFields }: UpsertedContact): UpsertedContactResponse {
  return { ...presentContact(contact), created, updated_fields: updatedFields.map(snakeCase) };
}

export function presentBulk({ errors, ...counts }: BulkOutcome): BulkResponse {
  return { ...counts, errors: errors.map(snakeKeys) };
}
