/**
 * simulateFlow over 100,000 events against the engine on the same events. Contacts exist already; the flow's steps
 * update, branch, split, send and wait. Both count from the first event; the engine's messages stay queued.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { median, type Comparison } from '../measure.js';
import { mustEqual, type Run } from '../run.js';

const DATABASE = 'bench_simulation';
/** The maximum number of events of a simulation. */
const EVENTS = 100_000;
/** After this time a simulation returns a partial result. */
const LONGEST_SECONDS = 8;
const LOOK_EVERY_MS = 50;
const TIMEOUT_MS = 300_000;

const WELCOME = { type: 'send_email', template_slug: 'welcome' };
const STEPS = [
  { type: 'update_contact', set: { stage: 'new' } },
  {
    type: 'conditional_split',
    branches: [
      {
        check: { source: 'trigger_event', attribute: 'plan', operator: 'equals', value: 'pro' },
        steps: [{ type: 'update_contact', set: { vip: true } }],
      },
      { steps: [] },
    ],
  },
  {
    type: 'ab_split',
    variants: [
      { name: 'mail', percentage: 50, steps: [WELCOME, { type: 'wait', duration: '1d' }] },
      { name: 'wait', percentage: 50, steps: [{ type: 'wait', duration: '2d' }] },
    ],
  },
];

const PEOPLE = `
INSERT INTO contacts (workspace_id, id, environment, external_id, email, created_at, updated_at)
SELECT $1, uuidv7(), 'live', 'p-' || i, 'p-' || i || '@example.test', now(), now() FROM generate_series(1, ${EVENTS}) i`;
const HAPPENED = `
INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, occurred_at, received_at)
SELECT $1, uuidv7(), 'live', 'p-' || i, 'signed_up',
  jsonb_build_object('plan', CASE WHEN i % 3 = 0 THEN 'pro' ELSE 'free' END), clock_timestamp(), clock_timestamp()
FROM generate_series(1, ${EVENTS}) i`;

interface Answer {
  readonly data?: {
    readonly simulateFlow: {
      readonly complete: boolean;
      readonly trips: { readonly started: number };
      readonly sendsByStepAndDay: readonly { readonly sent: number }[];
    };
  };
  readonly errors?: unknown;
}

export async function simulation(run: Run): Promise<Comparison[]> {
  const { postgres } = run;
  const product = await run.product(DATABASE);
  const query = <Row extends Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    postgres.query<Row>(DATABASE, sql, values);
  const api = await product.startApi();
  await product.call(api, '/v1/templates', {
    name: 'Welcome',
    slug: 'welcome',
    subject: 'Hi',
    body_html: '<p>Hi</p>',
  });
  const flow = await product.activeFlow(api, 'signed_up', STEPS);

  const [engine, ours]: number[][] = [[], []];
  for (const _ of run.rounds) {
    await query('TRUNCATE contacts, events, latest_events, trips, email_logs');
    await query(PEOPLE, [product.workspaceId]);
    const from = new Date(Date.now() - 1_000);
    await query(HAPPENED, [product.workspaceId]);
    const to = new Date();
    for (const table of ['contacts', 'events', 'trips', 'email_logs']) await query(`VACUUM ANALYZE ${table}`);
    await query('CHECKPOINT');

    const text = `query ($id: ID!, $from: DateTime!, $to: DateTime!) {
      simulateFlow(flowId: $id, from: $from, to: $to) { complete trips { started } sendsByStepAndDay { sent } } }`;
    const begun = performance.now();
    const { data, errors } = await product.call<Answer>(api, '/graphql', {
      query: text,
      variables: { id: flow.id, from, to },
    });
    ours?.push((performance.now() - begun) / 1_000);
    if (!data) throw new Error(`simulateFlow: ${JSON.stringify(errors)}`);
    mustEqual('Simulations that ended before their time', data.simulateFlow.complete ? 1 : 0, 1);
    mustEqual('Simulated trips', data.simulateFlow.trips.started, EVENTS);

    const worker = await product.startWorker('events,trips');
    const timeoutAt = performance.now() + TIMEOUT_MS;
    const pending = 'SELECT EXISTS (SELECT FROM events WHERE processed_at IS NULL) AS left';
    while ((await query<{ left: boolean }>(pending))[0]?.left) {
      if (performance.now() > timeoutAt)
        throw new Error('The engine does not come to an end with the events.');
      await sleep(LOOK_EVERY_MS);
    }
    await worker.stop();
    const [real] = await query<{ trips: number; mails: number; seconds: number }>(
      `SELECT (SELECT count(*)::int FROM trips) AS trips, (SELECT count(*)::int FROM email_logs) AS mails,
         (SELECT extract(epoch FROM max(processed_at) - min(processed_at))::float8 FROM events) AS seconds`,
    );
    mustEqual('Trips of the engine', real?.trips ?? 0, EVENTS);
    engine?.push(real?.seconds ?? Number.NaN);
    // Splits depend on ids, which differ: on both sides about half of the trips get the mail.
    const sent = data.simulateFlow.sendsByStepAndDay.reduce((sum, day) => sum + day.sent, 0);
    if (Math.abs(sent - (real?.mails ?? 0)) > EVENTS / 50)
      throw new Error(`${sent} mails are simulated, ${real?.mails} are asked for.`);
  }
  const path = `simulateFlow, ${EVENTS.toLocaleString('en')} events`;
  return [
    {
      path,
      unit: 's',
      reference: engine ?? [],
      ours: ours ?? [],
      target: { atMost: 0.33 },
      against: 'the engine on the same events, its mail not sent',
    },
    {
      path,
      unit: 's',
      reference: [LONGEST_SECONDS],
      ours: [median(ours ?? [])],
      target: { atMost: 1 },
      against: `${LONGEST_SECONDS} s`,
    },
  ];
}
