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
import { LONGEST_SLUG, LONGEST_SUBJECT } from '../../templates/domain/template-bounds.js';
import type { DirectSend } from '../domain/direct-send.js';
import { subjectProblem } from '../domain/subject.js';

/** Maximum characters of an idempotency key, as for events. */
const LONGEST_KEY = 255;
/** Maximum bytes of the attributes as JSON (64 KB), as for events. */
const LARGEST_ATTRIBUTES = 65_536;

const readTo: InputField['read'] = (value, place) => {
  if (!isJsonObject(value)) return refuse(place, 'must be an object');
  try {
    return readContactIn(value, `${place.path}.`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return refuseAs(error, place);
  }
};

const readGiven: InputField['read'] = (value, place) => {
  const read = readAttributes(value);
  if (read.wrong !== undefined) return refuse(place, read.wrong);
  if (Buffer.byteLength(read.json) > LARGEST_ATTRIBUTES)
    return refuse(place, `must be at most ${LARGEST_ATTRIBUTES} bytes of JSON (64 KB)`);
  return value;
};

@Input({ rest: 'SendBody' })
export class DirectSendInput {
  @Text({ min: 1, max: LONGEST_SLUG, example: 'receipt' }) templateSlug: string;

  @Read(readTo, {
    example: { external_id: 'u1', email: 'ada@example.com', first_name: 'Ada' },
    description: 'The recipient: `external_id` (alias `user_id`) and any contact fields, which are upserted.',
  })
  to: ContactInput;

  @Read(readGiven, {
    optional: true,
    example: { order: '4711', total: 49.9 },
    description: 'Available to the template as the attributes of the trigger event, with the same limits.',
  })
  attributes?: JsonObject;

  @Text({
    optional: true,
    nullable: 'absent',
    max: LONGEST_SUBJECT,
    check: subjectProblem,
    description: 'Replaces the template’s subject; can contain expressions.',
  })
  subject?: string | null;

  @OneOf(CONTENT_TYPES, { optional: true, default: 'transactional' }) contentType?: ContentType;

  @Text({
    optional: true,
    nullable: 'absent',
    min: 1,
    max: LONGEST_KEY,
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
