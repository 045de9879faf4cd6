/** Counters of flows' trips equal a count of the trips, in every state. */
import pg from 'pg';
import { EnteredTrips } from '../../src/modules/metrics/application/entered-trips.js';
import { Database } from '../../src/platform/database/database.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp({ queues: ['events', 'trips'] });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const FIGURES = `sum(started)::int AS started, sum(completed)::int AS completed, sum(terminated)::int AS terminated,
  sum(failed)::int AS failed`;
const COUNTED = `count(*)::int AS started, (count(*) FILTER (WHERE status = 'completed'))::int AS completed,
  (count(*) FILTER (WHERE completed_at IS NOT NULL AND status NOT IN ('completed', 'failed')))::int AS terminated,
  (count(*) FILTER (WHERE status = 'failed'))::int AS failed`;

async function figures(workspace: TestWorkspace, from: string, what: string): Promise<unknown[]> {
  const { rows } = await admin.query(
    `SELECT environment, flow_id, ${what} FROM ${from} WHERE workspace_id = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
    [workspace.id],
  );
  return rows;
}

async function activeFlow(workspace: TestWorkspace, steps: object[]): Promise<string> {
  const flow = {
    name: 'Flow',
    trigger_event: 'signed_up',
    content_type: 'transactional',
    settings: { reentry_policy: 'always' },
    steps,
  };
  const { body } = await workspace.call('POST', '/v1/flows', flow);
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  return body.id as string;
}

async function signUp(workspace: TestWorkspace, count: number, headers = {}): Promise<void> {
  const { rows } = await admin.query('SELECT count(*)::int AS trips FROM trips WHERE workspace_id = $1', [
    workspace.id,
  ]);
  const flows = await workspace.call('GET', '/v1/flows?status_filter=active');
  const expected = rows[0].trips + count * flows.body.total;
  for (let i = 0; i < count; i++)
    await workspace.call('POST', '/v1/events', { external_id: `u${i}`, event_name: 'signed_up' }, headers);
  await until('the trips have started', async () => {
    const { rows: now } = await admin.query(
      'SELECT count(*)::int AS trips FROM trips WHERE workspace_id = $1',
      [workspace.id],
    );
    return now[0].trips === expected;
  });
}

test('figures agree with the trips, in both environments, after starts, ends at once and later, and a stop', async () => {
  const workspace = await app.workspace();
  const otherWorkspace = await app.workspace();
  const atOnce = await activeFlow(workspace, [{ type: 'update_contact', set: { plan: 'pro' } }]);
  await activeFlow(workspace, [{ type: 'wait', duration: '1d' }]);
  const stopped = await activeFlow(workspace, [{ type: 'wait', duration: '90d' }]);
  await activeFlow(otherWorkspace, [{ type: 'wait', duration: '1d' }]);
  await signUp(otherWorkspace, 1);
  await signUp(workspace, 3);
  await signUp(workspace, 2, { 'x-api-key': workspace.testKey });
  app.clock.wind(DAY);
  await until('the waits are over', async () => {
    const { rows } = await admin.query(
      `SELECT FROM trips WHERE workspace_id = $1 AND resume_at <= $2 LIMIT 1`,
      [workspace.id, app.clock.now()],
    );
    return rows.length === 0;
  });
  await signUp(workspace, 1);
  expect((await workspace.call('POST', `/v1/flows/${stopped}/stop`)).status).toBe(200);

  const counted = await figures(workspace, 'trips', COUNTED);
  expect(counted).toHaveLength(6);
  expect(await figures(workspace, 'trip_tallies', FIGURES)).toEqual(counted);
  expect(counted).toContainEqual({
    environment: 'live',
    flow_id: stopped,
    started: 4,
    completed: 0,
    terminated: 4,
    failed: 0,
  });
  const { body } = await workspace.call('GET', '/v1/flows');
  expect(body.flows.find(({ id }: { id: string }) => id === atOnce)).toMatchObject({
    trips_started: 4,
    trips_completed: 4,
  });
});

test('starts within a period are exact to the millisecond, at whole hours and beside them', async () => {
  const workspace = await app.workspace();
  const flow = await activeFlow(workspace, [{ type: 'wait', duration: '90d' }]);
  const base = Math.ceil(app.clock.now().getTime() / HOUR) * HOUR;
  const moments = [-1, 0, 1, HOUR / 2, HOUR - 1, HOUR, HOUR + 1, 3 * HOUR - 1, 3 * HOUR, 3 * HOUR + HOUR / 2];
  for (const moment of moments) {
    app.clock.wind(base + moment - app.clock.now().getTime());
    await signUp(workspace, 1);
  }
  const scope = { workspaceId: workspace.id, environment: 'live' } as const;
  const [database, figures] = [app.app.get(Database), app.app.get(EnteredTrips)];
  const periods = moments.flatMap((from) =>
    moments.filter((to) => to >= from).map((to) => [from, to] as const),
  );
  for (const [from, to] of periods) {
    const period = { from: new Date(base + from), to: new Date(base + to) };
    const started = await database.inScope(scope, (tx) => figures.countWithin(tx, scope, flow, period));
    expect([from, to, started]).toEqual([from, to, moments.filter((m) => from <= m && m <= to).length]);
  }
});
