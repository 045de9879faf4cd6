/** Size limits of a contact, section 2.11: many small merges must not let it grow without bound. */
import type { FieldError } from '../../../kernel/domain-error.js';

/** Bytes of JSON. */
export const LARGEST_MERGED_PROPERTIES = 262_144;
export const MOST_MERGED_TAGS = 1_000;

export interface Size {
  readonly tags: number;
  /** Of the properties as JSON. */
  readonly bytes: number;
}

/** The limit that this size exceeds; undefined if it is within the limits. */
export function outgrown({ tags, bytes }: Size): FieldError | undefined {
  if (tags > MOST_MERGED_TAGS)
    return { field: 'tags', message: `would give the contact more than ${MOST_MERGED_TAGS} tags` };
  if (bytes <= LARGEST_MERGED_PROPERTIES) return undefined;
  return {
    field: 'properties',
    message: `would make the contact's properties larger than ${LARGEST_MERGED_PROPERTIES} bytes of JSON (256 KB)`,
  };
}
