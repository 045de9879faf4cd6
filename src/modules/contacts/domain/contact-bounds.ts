/** How large a contact may grow by merges, section 2.11: each may be small, and their sum must not be without end. */
import { jsonText } from '../../../kernel/json-text.js';
import type { FieldError } from '../../../kernel/domain-error.js';
import type { Contact } from './contact.js';

/** Bytes of JSON. */
export const LARGEST_MERGED_PROPERTIES = 262_144;
export const MOST_MERGED_TAGS = 1_000;

/** What the merged contact has too much of; undefined when it is within its bounds. */
export function outgrown({ properties, tags }: Contact): FieldError | undefined {
  if (tags.length > MOST_MERGED_TAGS)
    return { field: 'tags', message: `would be more than ${MOST_MERGED_TAGS} on the contact` };
  const json = jsonText(properties);
  // No text has more bytes than three times its length: most contacts need no counting.
  if (json.length * 3 <= LARGEST_MERGED_PROPERTIES || Buffer.byteLength(json) <= LARGEST_MERGED_PROPERTIES)
    return undefined;
  return {
    field: 'properties',
    message: `would make the contact's properties larger than ${LARGEST_MERGED_PROPERTIES} bytes of JSON (256 KB)`,
  };
}
