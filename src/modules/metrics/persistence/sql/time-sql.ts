/** Time dimensions in SQL: derived from a timestamp, and formatted for an answer. */

interface TimeSql {
  readonly key: string;
  /** Takes a UTC timestamp without time zone. */
  readonly of: (stamp: string) => string;
  readonly format: (value: string) => string;
}

const formatDaySql = (value: string): string => `to_char(${value}, 'YYYY-MM-DD')`;
const unchanged = (value: string): string => value;

/** From the longest period to the shortest: sorted in this order, rows are chronological. */
const TIMES: readonly TimeSql[] = [
  {
    key: 'month',
    of: (stamp) => `date_trunc('month', ${stamp})::date`,
    format: (value) => `to_char(${value}, 'YYYY-MM')`,
  },
  { key: 'week', of: (stamp) => `date_trunc('week', ${stamp})::date`, format: formatDaySql },
  { key: 'date', of: (stamp) => `(${stamp})::date`, format: formatDaySql },
  { key: 'day_of_week', of: (stamp) => `date_part('isodow', ${stamp})::int - 1`, format: unchanged },
  { key: 'hour', of: (stamp) => `date_part('hour', ${stamp})::int`, format: unchanged },
];

/** The rank of a dimension among time dimensions; undefined for others. */
export function rankOfTime(key: string): number | undefined {
  const rank = TIMES.findIndex((time) => time.key === key);
  return rank < 0 ? undefined : rank;
}

/** The value of a time dimension for an expression of the type timestamptz. */
export function timeOf(key: string, moment: string): string {
  return timeSql(key).of(`(${moment} AT TIME ZONE 'UTC')`);
}

export function formatTimeSql(key: string, value: string): string {
  return timeSql(key).format(value);
}

function timeSql(key: string): TimeSql {
  const time = TIMES.find((one) => one.key === key);
  if (!time) throw new TypeError(`${key} is no dimension of time.`);
  return time;
}
