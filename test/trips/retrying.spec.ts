/**
 * Manual retries of a large number of trips. Trips that cannot be retried do not block others, a contact never has
 * two active trips of a flow that forbids it, and the selection uses indexes.
 */
import pg from 'pg';
import { TripMoves } from '../../src/modules/trips/application/trip-moves.js';
import { SELECT_ELIGIBLE } from '../../src/modules/trips/persistence/trip-move.repository.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp({ queues: ['events'] });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const MANY = 1_200;

interface Own {
  readonly workspace: TestWorkspace;
  readonly flowId: string;
  readonly retry: (input: object) => Promise<any>;
}

async function fixture(policy: object = { reentry_policy: 'after_completion' }): Promise<Own> {
  const workspace = await app.workspace();
  const { body } = await workspace.call('POST', '/v1/flows', {
    name: 'Flow',
    trigger_event: 'began',
    content_type: 'transactional',
    settings: policy,
    steps: [{ type: 'wait', duration: '1d' }],
  });
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  const query = `mutation ($input: MoveTripsInput!) { retrySteps(input: $input) { moved refused { tripId code } left } }`;
  return {
    workspace,
    flowId: body.id,
    retry: async (input) => (await workspace.graphql(query, { input })).body.data.retrySteps,
  };
}

/** Inserts trips of contacts `first` to `last` with a status; returns their ids. */
async function trips(own: Own, first: number, last: number, status: string): Promise<string[]> {
  const now = app.clock.now();
  const { rows } = await admin.query<{ id: string }>(
    `INSERT INTO trips (workspace_id, environment, id, flow_id, flow_version, contact_id, trigger_event_id, status, last_step,
       resume_at, started_at, updated_at, completed_at, ended_reason)
     SELECT $1, 'live', gen_random_uuid(), $2::uuid, 1, md5(($2::uuid)::text || n)::uuid, gen_random_uuid(), $3::text, 1,
       CASE WHEN $3 = 'paused' THEN $4::timestamptz + interval '1 day' END, $4, $4,
       CASE WHEN $3 <> 'paused' THEN $4::timestamptz END, CASE WHEN $3 <> 'paused' THEN 'test' END
     FROM generate_series($5::int, $6::int) AS n RETURNING id`,
    [own.workspace.id, own.flowId, status, now, first, last],
  );
  return rows.map(({ id }) => id);
}

/** Inserts a failed message for each of the trips, in the given order. */
async function failedMessages(own: Own, ids: readonly string[]): Promise<void> {
  await admin.query(
    `INSERT INTO email_logs (workspace_id, environment, id, source_id, origin, origin_id, origin_step, contact_id,
       template_slug, content_type, priority, status, message_id, next_attempt_at, created_at, updated_at)
     SELECT $1, 'live', lpad(to_hex((SELECT count(*) FROM email_logs) + place), 32, '0')::uuid, $2, 'trip', id, 1,
       gen_random_uuid(), 'welcome', 'transactional', 0, 'failed', id::text, $3, $3, $3
     FROM unnest($4::uuid[]) WITH ORDINALITY AS t(id, place)`,
    [own.workspace.id, own.flowId, app.clock.now(), ids],
  );
}

test('messages of trips that were ended stand in nobody’s way, however many', async () => {
  const own = await fixture();
  await failedMessages(own, await trips(own, 1, MANY, 'terminated'));
  const [good = ''] = await trips(own, MANY + 1, MANY + 1, 'completed');
  await failedMessages(own, [good]);
  expect(await own.retry({ flowId: own.flowId, stepId: 1 })).toEqual({ moved: 1, refused: [], left: 0 });
  const { rows } = await admin.query(
    `SELECT o.origin_id FROM email_logs r JOIN email_logs o ON o.id = r.origin_id WHERE r.origin = 'resend'`,
  );
  expect(rows).toEqual([{ origin_id: good }]);
});

test('failed trips whose contact is under way again are left out of many, and refused by name', async () => {
  const own = await fixture();
  const [one = ''] = await trips(own, 1, MANY, 'failed');
  await trips(own, 1, MANY, 'paused');
  const [good = ''] = await trips(own, MANY + 1, MANY + 1, 'failed');
  expect(await own.retry({ flowId: own.flowId, status: 'failed' })).toEqual({
    moved: 1,
    refused: [],
    left: 0,
  });
  expect(await own.retry({ ids: [one] })).toEqual({
    moved: 0,
    refused: [{ tripId: one, code: 'another_under_way' }],
    left: 0,
  });
  const { rows } = await admin.query('SELECT status FROM trips WHERE id = ANY ($1) ORDER BY id = $2', [
    [one, good],
    good,
  ]);
  expect(rows).toEqual([{ status: 'failed' }, { status: 'active' }]);
});

test('of several failed trips of a contact one is taken up; all of them where the flow lets trips stand side by side', async () => {
  const own = await fixture();
  const both = [...(await trips(own, 1, 1, 'failed')), ...(await trips(own, 1, 1, 'failed'))];
  const done = await own.retry({ ids: both });
  expect([done.moved, done.refused.map(({ code }: any) => code)]).toEqual([1, ['another_under_way']]);
  for (const policy of [
    { reentry_policy: 'always' },
    { reentry_policy: 'cooldown', reentry_cooldown_days: 1 },
  ]) {
    const free = await fixture(policy);
    const ids = [...(await trips(free, 1, 1, 'failed')), ...(await trips(free, 1, 1, 'failed'))];
    expect(await free.retry({ ids })).toEqual({ moved: 2, refused: [], left: 0 });
  }
});

test('a trip that starts while another is taken up, or is taken up while one starts, is never the second', async () => {
  const own = await fixture();
  const { workspace, flowId } = own;
  const contacts = Array.from({ length: 30 }, (_, index) => `c${index}`);
  for (const name of contacts)
    await workspace.call('POST', '/v1/events', { external_id: name, event_name: 'began' });
  const settled = (): Promise<void> =>
    until('the events are processed', async () => {
      const { rows } = await admin.query('SELECT FROM events WHERE processed_at IS NULL');
      return rows.length === 0;
    });
  await settled();
  const underWay = async (): Promise<number[]> => {
    const { rows } = await admin.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM trips WHERE flow_id = $1 AND completed_at IS NULL GROUP BY contact_id`,
      [flowId],
    );
    return rows.map(({ n }) => n);
  };
  for (let round = 0; round < 5; round++) {
    await admin.query(
      `UPDATE trips SET status = 'failed', completed_at = $2, resume_at = NULL WHERE flow_id = $1 AND completed_at IS NULL`,
      [flowId, app.clock.now()],
    );
    const events = contacts.map((name) => ({ external_id: name, event_name: 'began' }));
    const { rows } = await admin.query<{ id: string }>('SELECT id FROM trips WHERE flow_id = $1', [flowId]);
    const moves = app.app.get(TripMoves, { strict: false });
    await Promise.all([
      workspace.call('POST', '/v1/events/batch', { events }),
      ...rows.map(({ id }) =>
        moves.ofIds({ workspaceId: workspace.id, environment: 'live' }, 'retry_step', [id], 'a test'),
      ),
    ]);
    await settled();
    expect(await underWay()).toEqual(contacts.map(() => 1));
  }
});

test('which trips of a flow failed at a step is asked of an index', async () => {
  const own = await fixture();
  await trips(own, 1, 20_000, 'completed');
  await trips(own, 20_001, 20_010, 'failed');
  await admin.query('VACUUM ANALYZE trips');
  const { rows } = await admin.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${SELECT_ELIGIBLE.retry_step}`,
    [own.workspace.id, 'live', own.flowId, 1, 'failed', [], 500, false],
  );
  const plan = rows[0]!['QUERY PLAN'][0].Plan;
  expect(plan['Actual Rows']).toBe(10);
  expect((plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN)).toBeLessThan(100);
});
