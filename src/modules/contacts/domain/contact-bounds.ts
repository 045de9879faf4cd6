/** How large a contact may grow by merges, section 2.11: each may be small, and their sum must not be without end. */
import type { FieldError } from '../../../kernel/domain-error.js';

/** Bytes of JSON. */
export const LARGEST_MERGED_PROPERTIES = 262_144;
export const MOST_MERGED_TAGS = 1_000;

export interface Size {
  readonly tags: number;
  /** Of the properties' JSON. */
  readonly bytes: number;
}

/** What a contact of this size has too much of; undefined when it is within its bounds. */
export function outgrown({ tags, bytes }: Size): FieldError | undefined {
  if (tags > MOST_MERGED_TAGS)
    return { field: 'tags', message: `would give the contact more than ${MOST_MERGED_TAGS} tags` };
  if (bytes <= LARGEST_MERGED_PROPERTIES) return undefined;
  return {
    field: 'properties',
    message: `would make the contact's properties larger than ${LARGEST_MERGED_PROPERTIES} bytes of JSON (256 KB)`,
  };
}
