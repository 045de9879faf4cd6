/** SQL that appends to trails in the statements that change trips, within the length limit. */
import { GAP_LINE, MAX_HISTORY_CHARS } from '../domain/trip-history.js';

/** Characters that are retained of the start and of the end of a trail that has become too long. */
const RETAINED_CHARS = 4_000;

/**
 * SQL of a trail with lines appended. If it would exceed the limit, whole lines are removed from the middle: the
 * trail retains how the trip began, and its latest decisions. Trails are ASCII, so bytes equal characters.
 */
export function appendToHistory(history: string, lines: string): string {
  return `CASE WHEN octet_length(${history}) + octet_length(${lines}) <= ${MAX_HISTORY_CHARS} THEN ${history} || ${lines}
    ELSE regexp_replace(left(${history}, ${RETAINED_CHARS}), '[^\n]*$', '') || E'${GAP_LINE}\n'
      || regexp_replace(right(${history}, ${RETAINED_CHARS}), '^[^\n]*\n', '') || ${lines} END`;
}
