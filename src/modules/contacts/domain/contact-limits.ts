/** Size limits of a contact, section 2.11: many small merges must not let it grow without bound. */
import type { FieldError } from '../../../kernel/domain-error.js';

/** Bytes of JSON. */
export const MAX_MERGED_PROPERTIES_BYTES = 262_144;
export const MAX_MERGED_TAGS = 1_000;

export interface ContactSize {
  readonly tags: number;
  /** Of the properties as JSON. */
  readonly bytes: number;
}

/** The limit that this size exceeds; undefined if it is within the limits. */
export function exceededLimit({ tags, bytes }: ContactSize): FieldError | undefined {
  if (tags > MAX_MERGED_TAGS)
    return { field: 'tags', message: `would give the contact more than ${MAX_MERGED_TAGS} tags` };
  if (bytes <= MAX_MERGED_PROPERTIES_BYTES) return undefined;
  return {
    field: 'properties',
    message: `would make the contact's properties larger than ${MAX_MERGED_PROPERTIES_BYTES} bytes of JSON (256 KB)`,
  };
}
