/** The input of a direct send, section 4.10. */
import { CONTENT_TYPES, type ContentType } from '../../../kernel/email-settings.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { readAttributes } from '../../../kernel/event-attributes.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { OneOf, Read, Text } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import type { InputField } from '../../../platform/input/input-table.js';
import { refuse, refuseAs } from '../../../platform/input/read-input.js';
import { readContactIn, type ContactInput } from '../../contacts/domain/read-contact.js';
import { MAX_SLUG_LENGTH, MAX_SUBJECT_LENGTH } from '../../templates/domain/template-limits.js';
import type { DirectSend } from '../domain/direct-send.js';
import { subjectProblem } from '../domain/subject.js';

/** Maximum characters of an idempotency key, as for events. */
const MAX_KEY_CHARS = 255;
/** Maximum bytes of the attributes as JSON (64 KB), as for events. */
const MAX_ATTRIBUTES_BYTES = 65_536;

const readTo: InputField['read'] = (value, position) => {
  if (!isJsonObject(value)) return refuse(position, 'must be an object');
  try {
    return readContactIn(value, `${position.path}.`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return refuseAs(error, position);
  }
};

const readAttributesField: InputField['read'] = (value, position) => {
  const read = readAttributes(value);
  if (read.wrong !== undefined) return refuse(position, read.wrong);
  if (Buffer.byteLength(read.json) > MAX_ATTRIBUTES_BYTES)
    return refuse(position, `must be at most ${MAX_ATTRIBUTES_BYTES} bytes of JSON (64 KB)`);
  return value;
};

@Input({ rest: 'SendBody' })
export class DirectSendInput {
  @Text({ min: 1, max: MAX_SLUG_LENGTH, example: 'receipt' }) templateSlug: string;

  @Read(readTo, {
    example: { external_id: 'u1', email: 'ada@example.com', first_name: 'Ada' },
    description: 'The recipient: `external_id` (alias `user_id`) and any contact fields, which are upserted.',
  })
  to: ContactInput;

  @Read(readAttributesField, {
    optional: true,
    example: { order: '4711', total: 49.9 },
    description: 'Available to the template as the attributes of the trigger event, with the same limits.',
  })
  attributes?: JsonObject;

  @Text({
    optional: true,
    nullable: 'absent',
    max: MAX_SUBJECT_LENGTH,
    check: subjectProblem,
    description: 'Replaces the template’s subject; can contain expressions.',
  })
  subject?: string | null;

  @OneOf(CONTENT_TYPES, { optional: true, default: 'transactional' }) contentType?: ContentType;

  @Text({
    optional: true,
    nullable: 'absent',
    min: 1,
    max: MAX_KEY_CHARS,
    description: 'Reusing a key within 24 hours returns 409.',
  })
  idempotencyKey?: string | null;
}

/** The requested message. A blank subject counts as absent. */
export function directSendOf(input: DirectSendInput): DirectSend {
  const { templateSlug, to, attributes, subject, contentType, idempotencyKey } = input;
  return {
    templateSlug,
    to,
    attributes: attributes ?? {},
    subject: (subject ?? '').trim() === '' ? null : (subject ?? null),
    contentType: contentType ?? 'transactional',
    idempotencyKey: idempotencyKey ?? null,
  };
}
