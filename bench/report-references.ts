/**
 * Reports and analyses counted by hand from the rows alone. Each is the fastest single statement that was found.
 * Keys and values are returned in columns of these names, `key` first.
 */

/** Rows of the workspace `$1`, from `$2` to `$3`, both inclusive. */
const OF_EMAILS = `FROM email_logs WHERE workspace_id = $1 AND environment = 'live' AND status = 'sent' AND sent_at BETWEEN $2 AND $3`;
const OF_TRIPS = `FROM trips WHERE workspace_id = $1 AND environment = 'live' AND started_at BETWEEN $2 AND $3`;

const OPENED = 'count(*) FILTER (WHERE opened_at IS NOT NULL OR clicked_at IS NOT NULL)::int AS opened';
const CLICKED = 'count(clicked_at)::int AS clicked';
const BOUNCED = `count(*) FILTER (WHERE bounced_at IS NOT NULL
  AND (bounce_kind = 'hard' OR delivered_at IS NULL OR delivered_at < bounced_at))::int AS bounced`;
const UNSUBSCRIBED = 'count(unsubscribed_at)::int AS unsubscribed';
const COUNTS = `count(*)::int AS sent, count(delivered_at)::int AS delivered, ${OPENED}, ${CLICKED}, ${BOUNCED},
  count(complained_at)::int AS complained, ${UNSUBSCRIBED}`;

/** The metrics in column order. */
export const EMAIL_METRICS = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'unsubscribed',
];

/** Truncating in a time zone takes half as long again. */
const DAY = `date_bin('1 day', sent_at, '2000-01-01Z'::timestamptz)`;
export const BY_DAY = `SELECT to_char(d.day, 'YYYY-MM-DD') AS key, d.* FROM (SELECT ${DAY} AS day, ${COUNTS} ${OF_EMAILS} GROUP BY 1) AS d`;

/** Without these statistics the planner assumes that each message is on its own day, and uses a single process. */
export const DAY_STATISTICS = `CREATE STATISTICS email_days ON (${DAY}) FROM email_logs; ANALYZE email_logs`;

export const BY_FLOW = `
SELECT coalesce(f.id::text, '') AS key, ${EMAIL_METRICS.map((name) => `sum(s.${name})::int AS ${name}`).join(', ')}
FROM (SELECT source_id, ${COUNTS} ${OF_EMAILS} GROUP BY 1) AS s LEFT JOIN flows f ON f.workspace_id = $1 AND f.id = s.source_id GROUP BY 1`;

export const EMAIL_FUNNEL = `SELECT 'all' AS key, count(*)::int AS sent, count(delivered_at)::int AS delivered, ${OPENED}, ${CLICKED} ${OF_EMAILS}`;

/**
 * One row, with the values in the order of the stages.
 * @param steps ids of the steps.
 * @param goals number of goals; their ids are the parameters from `$5` on.
 */
export function flowFunnel(steps: readonly number[], goals: number): string {
  // A line of a history is `[at, step, "outcome" …]`.
  const reached = steps.map(
    (step) => `count(*) FILTER (WHERE strpos(trail, ',${step},"') > 0)::int AS step_${step}`,
  );
  const converted = Array.from(
    { length: goals },
    (
      _,
      index,
    ) => `(SELECT count(DISTINCT trip_id)::int FROM goal_conversions WHERE workspace_id = $1 AND environment = 'live'
      AND goal_id = $${index + 5} AND entered_at BETWEEN $2 AND $3) AS goal_${index}`,
  );
  return `SELECT 'all' AS key, count(*)::int AS entered, ${reached.join(', ')},
    count(*) FILTER (WHERE status = 'completed')::int AS completed, ${converted.join(', ')} ${OF_TRIPS} AND flow_id = $4`;
}

export const COMPARE_FLOWS = `
SELECT t.key, t.entered, t.completed, t.conversions, e.sent, e.opened, e.clicked, e.bounced, e.unsubscribed
FROM (SELECT flow_id::text AS key, count(*)::int AS entered, count(*) FILTER (WHERE status = 'completed')::int AS completed,
    count(*) FILTER (WHERE converted)::int AS conversions ${OF_TRIPS} AND flow_id = ANY ($4::uuid[]) GROUP BY 1) AS t
JOIN (SELECT source_id::text AS key, count(*)::int AS sent, ${OPENED}, ${CLICKED}, ${BOUNCED}, ${UNSUBSCRIBED}
  ${OF_EMAILS} AND source_id = ANY ($4::uuid[]) GROUP BY 1) AS e USING (key)`;

const MEMBERS = `(SELECT id, external_id, created_at FROM contacts
  WHERE workspace_id = $1 AND environment = 'live' AND created_at BETWEEN $2 AND $3)`;
const within = (moment: string): string => `${moment} >= $2 AND ${moment} < $4::timestamptz`;
const week = (moment: string): string =>
  `1 << floor(date_part('epoch', ${moment} - $2::timestamptz) / 604800)::int`;

/**
 * Cohorts of people created in the weeks from `$2`, a Monday, to `$3`, and in which of the `$5` weeks from then
 * on, before `$4`, they were active. Each person's weeks are the bits of a number. The key is the cohort's week
 * and the number of weeks later, or marks the row with the cohort's size.
 */
export const COHORTS = `
SELECT to_char(c.cohort, 'YYYY-MM-DD') || ' ' || (i - c.place) AS key, c.people FROM (
  SELECT cohort, floor(date_part('epoch', cohort - $2::timestamptz) / 604800)::int AS place, i, sum(people)::int AS people FROM (
    SELECT cohort, weeks, count(*) AS people FROM (
      SELECT id, cohort, bit_or(week) AS weeks FROM (
        SELECT m.id, date_bin('7 days', m.created_at, $2::timestamptz) AS cohort, ${week('e.occurred_at')} AS week
        FROM events e JOIN ${MEMBERS} AS m ON m.external_id = e.external_id
        WHERE e.workspace_id = $1 AND e.environment = 'live' AND ${within('e.occurred_at')}
        UNION ALL
        SELECT m.id, date_bin('7 days', m.created_at, $2::timestamptz),
          CASE WHEN ${within('l.opened_at')} THEN ${week('l.opened_at')} ELSE 0 END
            | CASE WHEN ${within('l.clicked_at')} THEN ${week('l.clicked_at')} ELSE 0 END
        FROM email_logs l JOIN ${MEMBERS} AS m ON m.id = l.contact_id
        WHERE l.workspace_id = $1 AND l.environment = 'live' AND (${within('l.opened_at')} OR ${within('l.clicked_at')})) AS active
      GROUP BY 1, 2) AS person GROUP BY 1, 2) AS alike
  JOIN generate_series(0, 31) AS i ON weeks & (1 << i) <> 0 GROUP BY 1, 2, 3) AS c
WHERE i - c.place < $5::int
UNION ALL
SELECT to_char(date_bin('7 days', created_at, $2::timestamptz), 'YYYY-MM-DD') || ' size', count(*)::int FROM ${MEMBERS} AS m GROUP BY 1`;
