/** SQL that appends to trails in the statements that change trips, within the length limit. */
import { GAP_LINE, LONGEST_TRAIL } from '../domain/trail.js';

/** Characters that are retained of the start and of the end of a trail that has become too long. */
const KEPT = 4_000;

/**
 * SQL of a trail with lines appended. If it would exceed the limit, whole lines are removed from the middle: the
 * trail retains how the trip began, and its latest decisions. Trails are ASCII, so bytes equal characters.
 */
export function appended(trail: string, lines: string): string {
  return `CASE WHEN octet_length(${trail}) + octet_length(${lines}) <= ${LONGEST_TRAIL} THEN ${trail} || ${lines}
    ELSE regexp_replace(left(${trail}, ${KEPT}), '[^\n]*$', '') || E'${GAP_LINE}\n'
      || regexp_replace(right(${trail}, ${KEPT}), '^[^\n]*\n', '') || ${lines} END`;
}
