/**
 * The engine on a flow of ten steps that do not send, with conditions, a split and two waits. Trips run from start
 * to end, one wait after the other. The reference claims and advances 500 rows at a time, one step each.
 */
import type { Comparison } from '../measure.js';
import type { Rate } from '../processor-time.js';
import { askOnce } from '../program.js';
import { workedOff } from '../due-trips.js';
import type { FlowIdentity, Product } from '../product.js';
import type { ClaimQuestion } from '../references/claim.js';
import { mustEqual, type Run } from '../run.js';

const plan = (value: string) =>
  ({ source: 'contact', field: 'properties.stage', operator: 'eq', value }) as const;
const set = (stage: string) => ({ type: 'update_contact', set: { stage } }) as const;

/** Each trip takes ten steps, because it takes one of the split's two branches. */
const STEPS = [
  set('new'),
  { type: 'condition', check: plan('new'), on_false: 'skip_to_end' },
  { type: 'wait', duration: '1h' },
  set('warm'),
  {
    type: 'ab_split',
    variants: [
      { name: 'A', percentage: 50, steps: [set('tried a')] },
      { name: 'B', percentage: 50, steps: [set('tried b')] },
    ],
  },
  { type: 'wait', duration: '2h' },
  set('late'),
  {
    type: 'condition',
    check: { source: 'latest_event', event_name: 'order_placed', exists: true },
    on_true: 'skip_to_end',
  },
  { type: 'update_contact', set: { stage: 'done', score: 7 } },
] as const;
const TAKEN = 10;
/** To the first wait, to the second, and to the end. */
const LEGS = 3;

const START = `
WITH people AS (
  INSERT INTO contacts (workspace_id, id, environment, external_id, email, created_at, updated_at)
  SELECT $1, uuidv7(), 'live', 'due-' || i, 'due-' || i || '@example.test', now(), now() FROM generate_series(1, $4) i
  RETURNING id, external_id),
happened AS (
  INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, occurred_at, received_at,
    processed_at)
  SELECT $1, uuidv7(), 'live', external_id, 'trip_began', '{}', now(), now(), now() FROM people
  RETURNING id, external_id)
INSERT INTO trips (workspace_id, id, environment, flow_id, flow_version, contact_id, trigger_event_id, status, last_step,
  resume_at, started_at, updated_at)
SELECT $1, uuidv7(), 'live', $2, $3, p.id, h.id, 'active', 0, now(), now(), now()
FROM people p JOIN happened h USING (external_id)`;

export async function steps(run: Run): Promise<Comparison[]> {
  const { postgres, scale } = run;
  const claimUrl = await postgres.create('bench_steps_reference');
  const product = await run.product('bench_steps');
  const api = await product.startApi();
  const flow = await product.activeFlow(api, 'trip_began', STEPS);
  await api.stop();

  const bare: Rate[] = [];
  const ours: Rate[] = [];
  for (const _ of run.rounds) {
    const question: ClaimQuestion = {
      databaseUrl: claimUrl,
      postgresPid: postgres.pid,
      due: scale.tripsOfTenSteps,
      workers: 4,
    };
    bare.push(await askOnce<Rate>('references/claim', question));
    ours.push(await takenThrough(run, product, flow));
  }
  return [
    {
      path: 'ten steps with conditions, a split and two waits',
      unit: 'steps/s',
      reference: bare.map(({ perSecond }) => perSecond),
      ours: ours.map(({ perSecond }) => perSecond),
      effort: { reference: bare.map(({ effort }) => effort), ours: ours.map(({ effort }) => effort) },
      target: { atLeast: 0.3 },
      against: 'claim and advance, 500 at a time, 4 side by side, a step each',
    },
  ];
}

/** Runs all trips from start to end. The time between the legs, in which the bench ends the waits, does not count. */
async function takenThrough({ postgres, scale }: Run, product: Product, flow: FlowIdentity): Promise<Rate> {
  const count = scale.tripsOfTenSteps;
  const query = <Row extends Record<string, unknown>>(sql: string, values: readonly unknown[] = []) =>
    postgres.query<Row>(product.database, sql, values);
  await query('TRUNCATE contacts, events, trips');
  await query(START, [product.workspaceId, flow.id, flow.version, count]);

  const units = count * TAKEN;
  const seconds: Record<string, number> = {};
  let milliseconds = 0;
  for (let leg = 0; leg < LEGS; leg++) {
    if (leg > 0) await query(`UPDATE trips SET resume_at = now() WHERE status = 'paused'`);
    await query('VACUUM ANALYZE trips');
    await query('VACUUM ANALYZE contacts');
    await query('CHECKPOINT');
    const worked = await workedOff(postgres, product);
    const [row] = await query<{ begun_at: Date }>('SELECT min(updated_at) AS begun_at FROM trips');
    milliseconds += worked.endedAt - (row?.begun_at.getTime() ?? 0);
    for (const [process, used] of Object.entries(worked.seconds))
      seconds[process] = (seconds[process] ?? 0) + used;
  }
  const [row] = await query<{ done: number }>(
    `SELECT count(*)::int AS done FROM trips t JOIN contacts c ON c.workspace_id = t.workspace_id AND c.id = t.contact_id
     WHERE t.status = 'completed' AND c.properties @> '{"stage": "done", "score": 7}'`,
  );
  mustEqual('Trips that took all steps', row?.done ?? 0, count);
  return { perSecond: (units * 1_000) / milliseconds, effort: { units, seconds } };
}
