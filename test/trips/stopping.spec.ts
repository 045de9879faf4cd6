/**
 * Stopping a flow whose trips take a while to end: the status changes immediately, other requests do not wait, no
 * trip takes another step, and after a crash another process finishes the work.
 */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;

const boot = async (options: Parameters<typeof bootApp>[0]): Promise<void> => {
  app = await bootApp(options);
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
};
afterEach(async () => {
  await admin.end();
  await app.close();
});

const STEPS = [
  { type: 'wait', duration: '1d' },
  { type: 'update_contact', set: { stage: 'late' } },
];

async function flow(workspace: TestWorkspace, trigger: string, steps: object[] = STEPS): Promise<string> {
  const { body } = await workspace.call('POST', '/v1/flows', {
    name: trigger,
    trigger_event: trigger,
    content_type: 'transactional',
    settings: { reentry_policy: 'always' },
    steps,
  });
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  return body.id as string;
}

async function happens(workspace: TestWorkspace, event: string, ...names: string[]): Promise<void> {
  for (const name of names)
    await workspace.call('POST', '/v1/events', { external_id: name, event_name: event });
  await until('the events are processed', async () => {
    const { rows } = await admin.query('SELECT FROM events WHERE processed_at IS NULL');
    return rows.length === 0;
  });
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly ended_reason: string | null;
}

async function tripsOf(flowId: string): Promise<Row[]> {
  const { rows } = await admin.query<Row>(
    `SELECT t.id, c.external_id AS name, t.status, t.ended_reason FROM trips t JOIN contacts c ON c.id = t.contact_id
     WHERE t.flow_id = $1 ORDER BY c.external_id, t.id`,
    [flowId],
  );
  return rows;
}

const ends = async (flowId: string): Promise<[string, string][]> =>
  (await tripsOf(flowId)).map(({ name, status, ended_reason: reason }) => [name, reason ?? status]);

const statusOf = async (flowId: string): Promise<string> =>
  (await admin.query('SELECT status FROM flows WHERE id = $1', [flowId])).rows[0].status;

const stages = async (): Promise<unknown[]> =>
  (await admin.query(`SELECT external_id FROM contacts WHERE properties ? 'stage' ORDER BY 1`)).rows;

/** A connection that locks a trip, so that it cannot end. */
async function holding(name: string, flowId: string): Promise<pg.Client> {
  const other = new pg.Client({ connectionString: app.adminUrl });
  await other.connect();
  const held = (await tripsOf(flowId)).find((trip) => trip.name === name);
  await other.query('BEGIN');
  await other.query('SELECT FROM trips WHERE id = $1 FOR UPDATE', [held?.id]);
  return other;
}

/** Starts to stop a flow with one trip that cannot end, and waits until all others have ended. */
async function stopping(
  workspace: TestWorkspace,
  flowId: string,
  held: string,
): Promise<{ readonly answer: Promise<Answer> }> {
  const answer = workspace.call('POST', `/v1/flows/${flowId}/stop`);
  answer.catch(() => undefined);
  await until('all trips but one have ended', async () => {
    const trips = await tripsOf(flowId);
    return trips.every(({ name, ended_reason: reason }) => (reason === 'flow_stopped') !== (name === held));
  });
  return { answer };
}

test('while trips of a stopped flow still end, events go on, and none of the flow takes a step', async () => {
  await boot({});
  const workspace = await app.workspace();
  const stopped = await flow(workspace, 'began');
  const other = await flow(workspace, 'walked', [{ type: 'wait', duration: '2d' }]);
  await happens(workspace, 'began', 'ada', 'bob', 'cyd');
  const holder = await holding('bob', stopped);
  const { answer } = await stopping(workspace, stopped, 'bob');
  let isAnswered = false;
  void answer.finally(() => (isAnswered = true));

  expect(await statusOf(stopped)).toBe('stopped');
  await happens(workspace, 'began', 'dan');
  await happens(workspace, 'walked', 'dan');
  expect(await ends(other)).toEqual([['dan', 'paused']]);
  expect(isAnswered).toBe(false);

  app.clock.wind(DAY);
  await holder.query('COMMIT');
  await holder.end();
  expect([(await answer).status, (await answer).body.status]).toEqual([200, 'stopped']);
  expect(await ends(stopped)).toEqual([
    ['ada', 'flow_stopped'],
    ['bob', 'flow_stopped'],
    ['cyd', 'flow_stopped'],
  ]);
  expect(await stages()).toEqual([]);
  expect((await admin.query('SELECT FROM trip_sweeps')).rows).toHaveLength(0);
});

/** A flow whose stop crashed before bob's trip ended. */
async function halfStopped(workspace: TestWorkspace, trigger: string): Promise<string> {
  const id = await flow(workspace, trigger);
  await happens(workspace, trigger, 'ada', 'bob');
  const holder = await holding('bob', id);
  const { answer } = await stopping(workspace, id, 'bob');
  await until('the stop waits for the trip', async () => {
    const { rows } = await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%trips%'`,
    );
    return rows.length > 0;
  });
  expect((await answer).status).toBeGreaterThanOrEqual(500);
  await holder.query('COMMIT');
  await holder.end();
  expect([await statusOf(id), await ends(id)]).toEqual([
    'stopped',
    [
      ['ada', 'flow_stopped'],
      ['bob', 'paused'],
    ],
  ]);
  return id;
}

test('what a process that died has left of a stop is done by whoever works on trips, before any step', async () => {
  await boot({ queues: ['events'] });
  const workspace = await app.workspace();
  const other = await flow(workspace, 'walked', [{ type: 'wait', duration: '1d' }]);
  await happens(workspace, 'walked', 'ada');
  const stopped = await halfStopped(workspace, 'began');
  app.clock.wind(DAY);
  await admin.end();
  await app.end();

  await boot({ on: app, queues: ['trips'] });
  await until('the rest has ended', async () =>
    (await tripsOf(stopped)).every(({ status }) => status === 'terminated'),
  );
  await until('the other flow goes on', async () => (await tripsOf(other))[0]?.status === 'completed');
  await until(
    'nothing is left to do',
    async () => (await admin.query('SELECT FROM trip_sweeps')).rows.length === 0,
  );
  expect(await ends(stopped)).toEqual([
    ['ada', 'flow_stopped'],
    ['bob', 'flow_stopped'],
  ]);
  expect(await stages()).toEqual([]);
});

test('due trips of a stopped flow are passed over while their ends wait', async () => {
  await boot({ queues: ['events', 'trips'] });
  const workspace = await app.workspace();
  const stopped = await flow(workspace, 'began');
  const other = await flow(workspace, 'walked', [{ type: 'wait', duration: '1d' }]);
  await happens(workspace, 'began', 'ada');
  await happens(workspace, 'walked', 'ada');
  // As left by the stopping transaction, with the rest of the work claimed by another process.
  await admin.query(`UPDATE flows SET status = 'stopped' WHERE id = $1`, [stopped]);
  await admin.query(
    `INSERT INTO trip_sweeps (workspace_id, environment, kind, subject_id, due_at) VALUES ($1, 'live', 'flow_stopped', $2, $3)`,
    [workspace.id, stopped, new Date(app.clock.now().getTime() + 2 * DAY)],
  );
  app.clock.wind(DAY);
  await until('the other flow goes on', async () => (await tripsOf(other))[0]?.status === 'completed');
  expect(await ends(stopped)).toEqual([['ada', 'paused']]);
  expect(await stages()).toEqual([]);
  app.clock.wind(DAY);
  await until('it ends', async () => (await ends(stopped))[0]?.[1] === 'flow_stopped');
});

test('a flow that is activated again has no trips of before; nobody moves those that are left by hand', async () => {
  await boot({ queues: ['events'] });
  const workspace = await app.workspace();
  const id = await halfStopped(workspace, 'began');
  const [, bob] = await tripsOf(id);
  const skip = `mutation ($input: MoveTripsInput!) { skipWaits(input: $input) { moved refused { code } } }`;
  const { body } = await workspace.graphql(skip, { input: { ids: [bob?.id] } });
  expect(body.data.skipWaits).toEqual({ moved: 0, refused: [{ code: 'flow_not_running' }] });
  const restored = await workspace.call('POST', `/v1/flows/${id}/versions/1/restore`, {});
  expect(restored.status).toBe(200);

  expect((await workspace.call('POST', `/v1/flows/${id}/activate`)).status).toBe(200);
  expect(await ends(id)).toEqual([
    ['ada', 'flow_stopped'],
    ['bob', 'flow_stopped'],
  ]);
  await happens(workspace, 'began', 'ada');
  expect((await ends(id)).filter(([, end]) => end === 'paused')).toHaveLength(1);
});
