/**
 * Reading a flow's conversions (section 2.6) over HTTP among millions of trips. The references are one
 * hand-written statement for the same answer from the same hourly rollups, and one that counts the trips and
 * conversions themselves.
 */
import pg from 'pg';
import { milliseconds, type Comparison } from '../measure.js';
import type { FlowIdentity } from '../product.js';
import { GOAL_HOURS, TRIP_SUMS } from '../report-facts.js';
import { mustEqual, type Run } from '../run.js';

const DATABASE = 'bench_goals';
/** One in this many trips converts to the goal of each event. */
const GOALS: Readonly<Record<string, number>> = { activated: 5, order_placed: 20, invited: 50 };
const DAYS = 60;
const TIMES = 20;
const RAW_TIMES = 2;

const FILL_TRIPS = `
INSERT INTO trips (workspace_id, id, environment, flow_id, flow_version, contact_id, trigger_event_id, status, last_step,
  started_at, updated_at, completed_at, ended_reason)
SELECT $1, uuidv7(), 'live', $2, $3, gen_random_uuid(), gen_random_uuid(), 'completed', 0, s.at, s.at, s.at, 'finished'
FROM generate_series(1, $4::int) i
CROSS JOIN LATERAL (SELECT now() - (i::float8 / $4::int) * interval '${DAYS} days' AS at) AS s`;

/** Each conversion is two days after the start; every third trip converts once more. */
const FILL_CONVERSIONS = `
INSERT INTO goal_conversions (workspace_id, environment, trip_id, goal_id, event_id, entered_at, occurred_at,
  counts_trip, counts_event, recorded_at)
SELECT t.workspace_id, t.environment, t.id, $2, gen_random_uuid(), t.started_at, t.started_at + n * interval '2 days',
  n = 1, true, now()
FROM (SELECT *, row_number() OVER () AS i FROM trips WHERE workspace_id = $1) AS t
CROSS JOIN generate_series(1, CASE WHEN t.i % ($3::int * 3) = 0 THEN 2 ELSE 1 END) AS n
WHERE t.i % $3::int = 0`;

/**
 * Reads the period's whole days and hours from rollups, adds the pending changes, and counts rows for the partial
 * hours at both ends.
 */
const FROM_HOURS = `
WITH period AS (
  SELECT $3::timestamptz AS first, $4::timestamptz + interval '1 ms' AS last,
    date_trunc('hour', $3::timestamptz + interval '1 hour' - interval '1 ms', 'UTC') AS whole,
    date_trunc('hour', $4::timestamptz + interval '1 ms', 'UTC') AS whole_end,
    date_trunc('day', $3::timestamptz + interval '24 hours' - interval '1 ms', 'UTC') AS day,
    date_trunc('day', $4::timestamptz + interval '1 ms', 'UTC') AS day_end),
entered AS (
  SELECT (SELECT coalesce(sum(r.trips), 0) FROM period p, trip_rollups r
      WHERE r.workspace_id = $1 AND r.environment = 'live' AND r.flow_id = $2 AND (r.level = 0 AND r.at >= p.day AND r.at < p.day_end
        OR r.level = 1 AND r.at >= p.whole AND r.at < p.day OR r.level = 1 AND r.at >= p.day_end AND r.at < p.whole_end))
    + (SELECT coalesce(sum(c.trips), 0) FROM period p, trip_changes c
      WHERE c.workspace_id = $1 AND c.environment = 'live' AND c.flow_id = $2 AND c.at >= p.whole AND c.at < p.whole_end)
    + (SELECT count(*) FROM period p, trips t WHERE t.workspace_id = $1 AND t.flow_id = $2 AND t.environment = 'live'
      AND t.started_at >= p.first AND t.started_at < p.whole)
    + (SELECT count(*) FROM period p, trips t WHERE t.workspace_id = $1 AND t.flow_id = $2 AND t.environment = 'live'
      AND t.started_at >= p.whole_end AND t.started_at < p.last) AS trips)
SELECT g.id, g.name, g.event_name, (SELECT trips FROM entered)::int AS entered,
  (coalesce(h.trips, 0) + (SELECT count(*) FROM period p, goal_conversions c WHERE c.workspace_id = $1 AND c.goal_id = g.id
    AND c.environment = 'live' AND c.counts_trip AND (c.entered_at >= p.first AND c.entered_at < p.whole
      OR c.entered_at >= p.whole_end AND c.entered_at < p.last)))::int AS conversions,
  (coalesce(h.events, 0) + (SELECT count(*) FROM period p, goal_conversions c WHERE c.workspace_id = $1 AND c.goal_id = g.id
    AND c.environment = 'live' AND c.counts_event AND (c.occurred_at >= p.first AND c.occurred_at < p.whole
      OR c.occurred_at >= p.whole_end AND c.occurred_at < p.last)))::int AS total
FROM flow_goals g LEFT JOIN LATERAL (
  SELECT sum(trips) AS trips, sum(events) AS events FROM goal_hours h, period p
  WHERE h.workspace_id = $1 AND h.environment = 'live' AND h.goal_id = g.id AND h.hour >= p.whole AND h.hour < p.whole_end) AS h ON true
WHERE g.workspace_id = $1 AND g.flow_id = $2 ORDER BY g.position`;

/** The same from the rows alone. */
const FROM_ROWS = `
SELECT g.id, g.name, g.event_name,
  (SELECT count(*)::int FROM trips t WHERE t.workspace_id = $1 AND t.environment = 'live' AND t.flow_id = $2
    AND t.started_at BETWEEN $3 AND $4) AS entered,
  count(DISTINCT c.trip_id) FILTER (WHERE c.entered_at BETWEEN $3 AND $4)::int AS conversions,
  count(DISTINCT c.event_id) FILTER (WHERE c.occurred_at BETWEEN $3 AND $4)::int AS total
FROM flow_goals g LEFT JOIN goal_conversions c
  ON c.workspace_id = $1 AND c.environment = 'live' AND c.goal_id = g.id
WHERE g.workspace_id = $1 AND g.flow_id = $2 GROUP BY g.workspace_id, g.id ORDER BY g.position`;

interface Answer {
  readonly goals: readonly {
    readonly entered: number;
    readonly conversions: number;
    readonly total_conversions: number;
  }[];
}
interface Row {
  readonly entered: number;
  readonly conversions: number;
  readonly total: number;
}

export async function goals(run: Run): Promise<Comparison[]> {
  const product = await run.product(DATABASE);
  const api = await product.startApi();
  const admin = new pg.Client({ connectionString: run.postgres.urlOf(DATABASE) });
  await admin.connect();
  try {
    const flow = await product.activeFlow(api, 'signed_up', []);
    for (const event of Object.keys(GOALS))
      await product.call(api, `/v1/flows/${flow.id}/goals`, { name: event, event_name: event });
    await fill(admin, run.scale.convertingTrips, product.workspaceId, flow);

    const until = new Date(Date.now() - 60_000);
    const from = new Date(until.getTime() - 30 * 86_400_000);
    const values = [product.workspaceId, flow.id, from, until];
    const query = `from_date=${from.toISOString()}&to_date=${until.toISOString()}`;
    const byHand = async (name: string, sql: string): Promise<Row[]> =>
      (await admin.query<Row>({ name, text: sql, values })).rows;
    const rows = await byHand('rows', FROM_ROWS);
    const check = (what: string, found: readonly Row[]): void =>
      rows.forEach((row, goal) => {
        mustEqual(`${what}: entered`, found[goal]?.entered ?? -1, row.entered);
        mustEqual(`${what}: conversions`, found[goal]?.conversions ?? -1, row.conversions);
        mustEqual(`${what}: total`, found[goal]?.total ?? -1, row.total);
      });

    const [fromHours, fromRows, ours]: number[][] = [[], [], []];
    for (const _ of run.rounds) {
      fromHours?.push(
        await milliseconds(TIMES, async () => check('By hand', await byHand('hours', FROM_HOURS))),
      );
      ours?.push(
        await milliseconds(TIMES, async () => {
          const url = `http://127.0.0.1:${api.port}/v1/flows/${flow.id}/goal-conversions?${query}`;
          const answer = (await (await fetch(url, { headers: product.credentials })).json()) as Answer;
          check(
            'Waypost',
            answer.goals.map((goal) => ({ ...goal, total: goal.total_conversions })),
          );
        }),
      );
      fromRows?.push(await milliseconds(RAW_TIMES, async () => void (await byHand('rows', FROM_ROWS))));
    }
    const path = `conversions of 30 days among ${run.scale.convertingTrips.toLocaleString('en')} trips`;
    const figures = { path, unit: 'ms', ours: ours ?? [] };
    return [
      {
        ...figures,
        reference: fromHours ?? [],
        target: { atMost: 2 },
        against: 'one statement for the same answer from the same kept hours',
      },
      {
        ...figures,
        reference: fromRows ?? [],
        target: { atMost: 0.02 },
        against: 'one statement that counts the trips and conversions themselves',
      },
    ];
  } finally {
    await admin.end();
  }
}

async function fill(admin: pg.Client, count: number, workspaceId: string, flow: FlowIdentity): Promise<void> {
  // Disables change triggers, because the rollups are computed as a whole afterwards.
  await admin.query('SET session_replication_role = replica');
  await admin.query(FILL_TRIPS, [workspaceId, flow.id, flow.version, count]);
  const { rows } = await admin.query<{ id: string; event_name: string }>(
    'SELECT id, event_name FROM flow_goals',
  );
  for (const { id, event_name: event } of rows)
    await admin.query(FILL_CONVERSIONS, [workspaceId, id, GOALS[event]]);
  await admin.query(TRIP_SUMS);
  await admin.query(GOAL_HOURS);
  await admin.query('RESET session_replication_role');
  for (const table of ['trips', 'goal_conversions', 'trip_rollups', 'goal_hours', 'flow_goals'])
    await admin.query(`VACUUM ANALYZE ${table}`);
  await admin.query('CHECKPOINT');
}
