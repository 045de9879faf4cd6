/**
 * The rows that the totals of a period consist of, in one statement, so that nothing is counted twice or missed while
 * deltas are folded: daily and hourly rollups, pending deltas, and rows outside whole hours.
 */
import { momentArray } from '../../../platform/database/array-parameters.js';
import { LEVELS, type PeriodParts, type RollupName, type Span } from '../domain/rollup.js';

interface PeriodRows {
  readonly rollup: RollupName;
  /** Columns of the rollup; `rest` selects as many, in the same order. */
  readonly columns: readonly string[];
  /** The condition for the rows that count; their alias is `r`. */
  readonly where: string;
  /** Counts source rows between `p.since` and `p.until`; starts with SELECT and joins the spans as `{spans}`. */
  readonly rest: string;
}

/** Returns the SQL of the rows for a survey; its first six parameters are those of `periodValues`. */
export function periodRows({ rollup, columns, where, rest }: PeriodRows): string {
  const selected = columns.map((column) => `r.${column}`).join(', ');
  const rollupRows = (level: number, since: string, until: string): string => `
    SELECT ${selected} FROM ${spans(since, until)} JOIN {${rollup}_rollups} AS r
      ON r.level = ${level} AND r.at >= p.since AND r.at < p.until AND ${where}`;
  return `${rollupRows(LEVELS.day, DAYS[0], DAYS[1])}
    UNION ALL ${rollupRows(LEVELS.hour, HOURS[0], HOURS[1])}
    UNION ALL SELECT ${selected} FROM ${spans(`${DAYS[0]} || ${HOURS[0]}`, `${DAYS[1]} || ${HOURS[1]}`)}
      JOIN {${rollup}_changes} AS r ON r.at >= p.since AND r.at < p.until AND ${where}
    UNION ALL ${rest.replace('{spans}', spans(REST[0], REST[1]))}`;
}

/** The values of `$1` to `$6`. */
export function periodValues({ days, hours, rest }: PeriodParts): Buffer[] {
  return [days, hours, rest].flatMap((parts) => [
    momentArray(parts.map(({ from }: Span) => from)),
    momentArray(parts.map(({ until }: Span) => until)),
  ]);
}

const DAYS = ['$1::timestamptz[]', '$2::timestamptz[]'] as const;
const HOURS = ['$3::timestamptz[]', '$4::timestamptz[]'] as const;
const REST = ['$5::timestamptz[]', '$6::timestamptz[]'] as const;

function spans(since: string, until: string): string {
  return `unnest(${since}, ${until}) AS p(since, until)`;
}
