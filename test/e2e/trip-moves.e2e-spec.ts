/**
 * Moving trips manually through GraphQL: skipping a wait, ending, resuming; permissions, refusals, and the recorded
 * history.
 */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

interface Fixture {
  readonly workspace: TestWorkspace;
  readonly flowId: string;
  readonly as: (role: string, query: string, variables?: object) => Promise<Answer>;
}

async function fixture(steps: object[]): Promise<Fixture> {
  const tag = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
  const members: Record<string, string> = { owner: `o-${tag}@example.com`, viewer: `v-${tag}@example.com` };
  const workspace = await app.workspace({
    members: Object.entries(members).map(([role, email]) => ({ email, role })),
  });
  for (const slug of ['welcome', 'later']) {
    const template = { name: slug, slug, subject: 'Hi', body_html: '<p>Hi</p>' };
    expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
  }
  const flow = { name: 'Flow', trigger_event: 'signed_up', content_type: 'transactional', steps };
  const { body } = await workspace.call('POST', '/v1/flows', flow);
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  return {
    workspace,
    flowId: body.id,
    as: async (role, query, variables = {}) =>
      app.request(
        'POST',
        '/graphql',
        { query, variables },
        {
          'x-workspace-id': workspace.id,
          authorization: `Bearer ${await app.token(members[role] ?? '')}`,
        },
      ),
  };
}

async function trips({ workspace, flowId }: Fixture, status: string, count: number): Promise<string[]> {
  let ids: string[] = [];
  await until(`${count} trips are ${status}`, async () => {
    const { body } = await workspace.call('GET', `/v1/flows/${flowId}/trips?status=${status}`);
    ids = body.trips.map(({ id }: { id: string }) => id);
    return ids.length === count;
  });
  return ids;
}

async function signUp({ workspace }: Fixture, ...names: string[]): Promise<void> {
  for (const name of names)
    await workspace.call('POST', '/v1/events', {
      external_id: name,
      event_name: 'signed_up',
      contact: { email: `${name}@example.com` },
    });
}

type Move = 'skipWaits' | 'endTrips' | 'retrySteps';

async function moved(own: Fixture, move: Move, input: object, role = 'owner'): Promise<any> {
  const query = `mutation ($input: MoveTripsInput!) { ${move}(input: $input) { moved refused { tripId code } left } }`;
  const { body } = await own.as(role, query, { input });
  return body.data?.[move] ?? body.errors[0].extensions.code;
}

const END = 'mutation ($input: MoveTripsInput!) { endTrips(input: $input) { moved } }';
const MOVES = `query ($flow: ID, $trip: ID) { tripMoves(flowId: $flow, tripId: $trip) {
  edges { node { tripId kind stepId movedBy } } } }`;

async function movesOf({ as, flowId }: Fixture): Promise<any[]> {
  const { body } = await as('owner', MOVES, { flow: flowId });
  return body.data.tripMoves.edges.map(({ node }: any) => node);
}

test('waits are cut short, of chosen trips and of all at a step; what was done is kept', async () => {
  const own = await fixture([
    { type: 'wait', duration: '5d' },
    { type: 'wait', duration: '7d' },
  ]);
  await signUp(own, 'ada', 'bob', 'cyd');
  const [first = '', ...others] = await trips(own, 'paused', 3);
  const otherWorkspace = await fixture([{ type: 'wait', duration: '1d' }]);
  expect(await moved(otherWorkspace, 'skipWaits', { ids: [first] })).toEqual({
    moved: 0,
    refused: [{ tripId: first, code: 'trip_not_found' }],
    left: 0,
  });
  expect(await moved(own, 'skipWaits', { ids: [first] }, 'viewer')).toBe('missing_permission');

  expect(await moved(own, 'skipWaits', { ids: [first] })).toEqual({ moved: 1, refused: [], left: 0 });
  await until('the trip stands at the second wait', async () => {
    const { rows } = await admin.query('SELECT last_step FROM trips WHERE id = $1 AND status = $2', [
      first,
      'paused',
    ]);
    return rows[0]?.last_step === 2;
  });
  expect(await moved(own, 'skipWaits', { flowId: own.flowId, stepId: 1, status: 'paused' })).toEqual({
    moved: 2,
    refused: [],
    left: 0,
  });
  await until('all stand at the second wait', async () => {
    const { rows } = await admin.query('SELECT FROM trips WHERE flow_id = $1 AND last_step = 2', [
      own.flowId,
    ]);
    return rows.length === 3;
  });
  const kept = await movesOf(own);
  expect(kept.map(({ tripId }) => tripId).toSorted()).toEqual([first, ...others].toSorted());
  for (const one of kept)
    expect(one).toMatchObject({ kind: 'skip_wait', stepId: 1, movedBy: expect.any(String) });
  const { body } = await own.as(
    'owner',
    'query ($id: ID!) { explainTrip(id: $id) { decisions { reason } } }',
    { id: first },
  );
  expect(body.data.explainTrip.decisions.map(({ reason }: any) => reason)).toEqual([
    'trigger_event',
    'wait',
    'skipped_by_hand',
    'wait_over',
    'wait',
  ]);
});

test('a trip that the engine moves on meanwhile is refused, and not moved twice', async () => {
  const own = await fixture([
    { type: 'wait', duration: '5d' },
    { type: 'wait', duration: '7d' },
  ]);
  await signUp(own, 'ada');
  const [id = ''] = await trips(own, 'paused', 1);
  const engine = new pg.Client({ connectionString: app.adminUrl });
  await engine.connect();
  try {
    await engine.query('BEGIN');
    await engine.query('UPDATE trips SET last_step = 2 WHERE id = $1', [id]);
    const answer = moved(own, 'skipWaits', { ids: [id] });
    await until('the mutation waits for the trip', async () => {
      const { rows } = await admin.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM trips t%FOR NO KEY UPDATE%'`,
      );
      return rows.length > 0;
    });
    await engine.query('COMMIT');
    expect(await answer).toEqual({ moved: 0, refused: [{ tripId: id, code: 'moved_on' }], left: 0 });
  } finally {
    await engine.end();
  }
  expect(await movesOf(own)).toEqual([]);
});

test('trips are ended, and what is over is refused', async () => {
  const own = await fixture([{ type: 'wait', duration: '5d' }]);
  await signUp(own, 'ada', 'bob');
  const ids = await trips(own, 'paused', 2);
  expect(await moved(own, 'endTrips', { ids: ids.slice(0, 1) })).toMatchObject({ moved: 1 });
  expect(await moved(own, 'endTrips', { ids })).toEqual({
    moved: 1,
    refused: [{ tripId: ids[0], code: 'over' }],
    left: 0,
  });
  const { rows } = await admin.query('SELECT status, ended_reason FROM trips WHERE flow_id = $1', [
    own.flowId,
  ]);
  expect(rows).toEqual([
    { status: 'terminated', ended_reason: 'ended_by_hand' },
    { status: 'terminated', ended_reason: 'ended_by_hand' },
  ]);
  expect(await moved(own, 'skipWaits', { ids })).toMatchObject({
    moved: 0,
    refused: [{ code: 'over' }, { code: 'over' }],
  });
  expect(await moved(own, 'retrySteps', { ids })).toMatchObject({
    moved: 0,
    refused: [{ code: 'over' }, { code: 'over' }],
  });
});

test('a trip that failed goes on with the step that it could not take, and is counted as under way', async () => {
  const own = await fixture([
    { type: 'wait', duration: '1d' },
    { type: 'update_contact', set: { plan: 'pro' } },
  ]);
  await signUp(own, 'ada');
  const [id = ''] = await trips(own, 'paused', 1);
  const { rows } = await admin.query('SELECT steps FROM flows WHERE id = $1', [own.flowId]);
  const setSteps = (steps: unknown): Promise<unknown> =>
    admin.query('UPDATE flows SET steps = $2 WHERE id = $1', [own.flowId, JSON.stringify(steps)]);
  await setSteps([
    { id: 1, type: 'wait', duration: '1d' },
    { id: 2, type: 'nonsense' },
  ]);
  app.clock.wind(DAY);
  await trips(own, 'failed', 1);
  await setSteps(rows[0].steps);
  expect(await moved(own, 'retrySteps', { flowId: own.flowId, status: 'failed' })).toEqual({
    moved: 1,
    refused: [],
    left: 0,
  });
  await trips(own, 'completed', 1);
  const figures = await admin.query(
    'SELECT started::int, completed::int, failed::int FROM trip_tallies WHERE flow_id = $1',
    [own.flowId],
  );
  expect(figures.rows).toEqual([{ started: 1, completed: 1, failed: 0 }]);
  expect(await movesOf(own)).toMatchObject([{ tripId: id, kind: 'retry_step' }]);
});

test('a trip that was set aside is found among the stuck ones, and taken up again', async () => {
  const own = await fixture([{ type: 'wait', duration: '1d' }]);
  await signUp(own, 'ada');
  const [id = ''] = await trips(own, 'paused', 1);
  await admin.query('UPDATE trips SET resume_at = NULL WHERE id = $1', [id]);
  const stuck = 'query { stuckTrips { edges { node { id waitsFor { kind } } } } }';
  expect((await own.as('owner', stuck)).body.data.stuckTrips.edges).toEqual([
    { node: { id, waitsFor: { kind: 'nothing' } } },
  ]);
  expect(await moved(own, 'skipWaits', { ids: [id] })).toMatchObject({ refused: [{ code: 'set_aside' }] });
  expect(await moved(own, 'retrySteps', { ids: [id] })).toMatchObject({ moved: 1 });
  await trips(own, 'completed', 1);
  expect((await own.as('owner', stuck)).body.data.stuckTrips.edges).toEqual([]);
});

test('a message that failed is asked for again as a new one, once; one that may have left is not', async () => {
  const own = await fixture([{ type: 'send_email', template_slug: 'welcome' }]);
  const { workspace } = own;
  expect((await workspace.call('DELETE', '/v1/templates/welcome')).status).toBeLessThan(300);
  await signUp(own, 'ada', 'bob', 'cyd');
  const ids = await trips(own, 'completed', 3);
  const template = { name: 'Welcome', slug: 'welcome', subject: 'Hi', body_html: '<p>Hi again</p>' };
  expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
  const statuses = async (): Promise<unknown[]> =>
    (
      await admin.query(
        'SELECT origin, status FROM email_logs WHERE workspace_id = $1 ORDER BY origin DESC, id',
        [workspace.id],
      )
    ).rows.map(({ origin, status }) => `${origin} ${status}`);
  expect(await statuses()).toEqual(['trip failed', 'trip failed', 'trip failed']);
  const [first = '', second = ''] = ids;
  await admin.query('UPDATE email_logs SET reissues = 1 WHERE origin_id = $1', [second]);

  expect(await moved(own, 'retrySteps', { ids: [first, second] })).toEqual({
    moved: 1,
    refused: [{ tripId: second, code: 'message_may_have_left' }],
    left: 0,
  });
  await until('the message is sent', async () => (await statuses()).includes('resend sent'));
  expect(await moved(own, 'retrySteps', { ids: [first] })).toMatchObject({
    moved: 0,
    refused: [{ code: 'message_was_sent' }],
  });
  expect(await moved(own, 'retrySteps', { flowId: own.flowId, stepId: 1 })).toEqual({
    moved: 1,
    refused: [],
    left: 0,
  });
  await until('the other message is sent', async () => {
    return (await statuses()).filter((status) => status === 'resend sent').length === 2;
  });
  expect(await movesOf(own)).toMatchObject([
    { kind: 'send_again', stepId: 1 },
    { kind: 'send_again', stepId: 1 },
  ]);
  expect((await workspace.call('POST', `/v1/flows/${own.flowId}/stop`)).status).toBe(200);
  expect(await moved(own, 'retrySteps', { ids: [second] })).toMatchObject({
    refused: [{ code: 'flow_not_running' }],
  });
});

test('ids or a flow, not both and not neither', async () => {
  const own = await fixture([]);
  for (const input of [{}, { ids: ['nonsense'] }, { ids: [own.flowId], flowId: own.flowId }])
    expect(await moved(own, 'endTrips', input)).toBe('invalid_field');
  const { body } = await own.as('owner', END, { input: { ids: [own.flowId], stepId: 1, status: 'paused' } });
  expect(body.errors[0].extensions.errors).toEqual([
    { field: 'stepId', message: 'is only valid with flowId, not with ids' },
    { field: 'status', message: 'is only valid with flowId, not with ids' },
  ]);
});

test('a flow that is unknown, archived or of another workspace is not found', async () => {
  const own = await fixture([]);
  const others = await fixture([]);
  await own.workspace.call('POST', `/v1/flows/${own.flowId}/pause`);
  const archive = 'mutation ($id: ID!) { archiveFlow(id: $id) { id } }';
  const { body } = await own.as('owner', archive, { id: own.flowId });
  expect(body.data.archiveFlow).toEqual({ id: own.flowId });
  for (const flowId of ['0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface', others.flowId, own.flowId]) {
    for (const move of ['skipWaits', 'endTrips', 'retrySteps'] as const) {
      expect(await moved(own, move, { flowId })).toBe('flow_not_found');
      expect(await moved(own, move, { flowId, stepId: 1 })).toBe('flow_not_found');
    }
    const listed = await own.as('owner', MOVES, { flow: flowId });
    expect(listed.body.errors[0].extensions.code).toBe('flow_not_found');
  }
});
