/**
 * The list of flows with counters of their trips, over HTTP. The references are hand-written statements for the
 * same answer from the same counters, by a plain connection without row-level policies, and a count of the trips
 * themselves.
 */
import pg from 'pg';
import type { Comparison } from '../measure.js';
import { median } from '../measure.js';
import { mustEqual, type Run } from '../run.js';

const DATABASE = 'bench_flows';
const FLOWS = 10_000;
const PAGE = 200;
/** Trips for each contact of the scale: five million in the full measurement. */
const TRIPS_PER_CONTACT = 5;
const CALLS = 40;

const FILL_FLOWS = `
INSERT INTO flows (workspace_id, id, name, description, trigger_event, trigger_conditions, steps, last_step_id,
  content_type, status, version, tags, settings, created_by, created_at, updated_at)
SELECT $1, uuidv7(), 'Flow ' || i, 'What it is for', 'event_' || i % 500, '{"plan": "pro"}',
  '[{"type": "send_email", "template_slug": "welcome", "id": 1}, {"type": "wait", "duration": "1d", "id": 2},
    {"type": "send_email", "template_slug": "tips", "id": 3}, {"type": "wait", "duration": "3d", "id": 4},
    {"type": "update_contact", "set": {"onboarded": true}, "id": 5}]', 5,
  (ARRAY['transactional', 'promotional'])[1 + i % 2], (ARRAY['draft', 'paused', 'stopped', 'archived'])[1 + i % 4], 1,
  ARRAY['tag-' || i % 20, 'all'],
  '{"reentry_policy": "never", "reentry_cooldown_days": null, "throttle_enabled": false, "throttle_limit": null,
    "throttle_period": null}', 'bench', now() - i * interval '1 hour', now() - i * interval '1 minute'
FROM generate_series(1, ${FLOWS}) i`;

const FILL_TRIPS = `
WITH numbered AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS number FROM flows WHERE workspace_id = $1)
INSERT INTO trips (workspace_id, id, environment, flow_id, flow_version, contact_id, trigger_event_id, status, last_step,
  started_at, updated_at, completed_at)
SELECT $1, uuidv7(), 'live', f.id, 1, gen_random_uuid(), gen_random_uuid(),
  CASE WHEN i % 3 = 0 THEN 'paused' ELSE 'completed' END, 2, now() - i * interval '1 second', now(),
  CASE WHEN i % 3 = 0 THEN NULL ELSE now() END
FROM generate_series(1, $2::int) i JOIN numbered f ON f.number = i % ${FLOWS}`;

/** Fills the counters as the engine maintains them. */
const FILL_FIGURES = `
INSERT INTO trip_tallies (workspace_id, environment, flow_id, started, completed, terminated, failed)
SELECT workspace_id, environment, flow_id, count(*), count(*) FILTER (WHERE status = 'completed'), 0, 0
FROM trips WHERE workspace_id = $1 GROUP BY 1, 2, 3`;

const LIST = `
SELECT f.*, coalesce(n.started, 0) AS trips_started, coalesce(n.completed, 0) AS trips_completed
FROM flows f LEFT JOIN trip_tallies n
  ON n.workspace_id = f.workspace_id AND n.environment = 'live' AND n.flow_id = f.id
WHERE f.workspace_id = $1 AND f.status <> 'archived' ORDER BY f.updated_at DESC, f.id DESC LIMIT ${PAGE}`;
const COUNTS = 'SELECT status, count(*)::int AS flows FROM flows WHERE workspace_id = $1 GROUP BY status';
const RAW = `
SELECT flow_id, count(*) AS started, count(*) FILTER (WHERE status = 'completed') AS completed
FROM trips WHERE workspace_id = $1 AND environment = 'live' GROUP BY flow_id`;

interface Listed {
  readonly flows: readonly { readonly trips_started: number }[];
  readonly total: number;
}

export async function flows(run: Run): Promise<Comparison[]> {
  const product = await run.product(DATABASE);
  const api = await product.startApi();
  const admin = new pg.Client({ connectionString: run.postgres.urlOf(DATABASE) });
  await admin.connect();
  const ask = async <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> =>
    (await admin.query<Row>({ name: text.slice(0, 40), text, values: [product.workspaceId] })).rows;
  const list = async (): Promise<Listed> => {
    const answer = await fetch(`http://127.0.0.1:${api.port}/v1/flows?limit=${PAGE}`, {
      headers: product.credentials,
    });
    if (!answer.ok) throw new Error(`GET /v1/flows: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Listed;
  };
  try {
    const trips = TRIPS_PER_CONTACT * run.scale.contacts;
    await admin.query(FILL_FLOWS, [product.workspaceId]);
    await admin.query(FILL_TRIPS, [product.workspaceId, trips]);
    await admin.query(FILL_FIGURES, [product.workspaceId]);
    await admin.query('VACUUM ANALYZE');
    const [byHand, ours, raw]: [number[], number[], number[]] = [[], [], []];
    for (const _round of run.rounds) {
      byHand.push(
        await timed(CALLS, async () => {
          await ask(LIST);
          await ask(COUNTS);
        }),
      );
      ours.push(await timed(CALLS, list));
      raw.push(await timed(3, () => ask(RAW)));
    }
    const { flows: page, total } = await list();
    mustEqual('Flows of the page', page.length, PAGE);
    mustEqual('Flows that are not archived', total, (FLOWS * 3) / 4);
    mustEqual('Trips of the first flow', page[0]?.trips_started ?? 0, trips / FLOWS);
    const path = `GET /v1/flows, ${PAGE} of ${FLOWS.toLocaleString('en')}, with their trips`;
    return [
      {
        path,
        unit: 'ms',
        reference: byHand,
        ours,
        target: { atMost: 2 },
        against: 'two statements for the same answer from the same figures, by a plain connection',
      },
      {
        path: `${path}, ${trips.toLocaleString('en')} of them`,
        unit: 'ms',
        reference: raw,
        ours,
        target: { atMost: 0.02 },
        against: 'counting the trips themselves',
      },
    ];
  } finally {
    await admin.end();
  }
}

/** The median time in milliseconds of `calls` sequential calls. */
async function timed(calls: number, call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  await call();
  for (let i = 0; i < calls; i++) {
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  return median(times);
}
