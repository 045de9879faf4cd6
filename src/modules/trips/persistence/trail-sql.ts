/** How trails grow in the statements that change trips: behind what they hold, within their bound. */
import { GAP_LINE, LONGEST_TRAIL } from '../domain/trail.js';

/** Characters that stay of the beginning and of the end of a trail that has grown too long. */
const KEPT = 4_000;

/**
 * SQL of a trail with lines added. Of one that would be longer than it may be the middle gives way, line by line: it
 * begins with how the trip began, and ends with its latest decisions. Trails are ASCII, so bytes are characters.
 */
export function appended(trail: string, lines: string): string {
  return `CASE WHEN octet_length(${trail}) + octet_length(${lines}) <= ${LONGEST_TRAIL} THEN ${trail} || ${lines}
    ELSE regexp_replace(left(${trail}, ${KEPT}), '[^\n]*$', '') || E'${GAP_LINE}\n'
      || regexp_replace(right(${trail}, ${KEPT}), '^[^\n]*\n', '') || ${lines} END`;
}
