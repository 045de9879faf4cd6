/**
 * A row that fails on every retry is isolated and becomes a dead letter. The rows around it are processed, only
 * its own workspace sees it, and once its cause is fixed a manual requeue processes it. One test for each queue.
 */
import pg from 'pg';
import { WORK_KINDS } from '../../src/modules/dead-letters/domain/dead-letter.js';
import { Metrics } from '../../src/platform/telemetry/metrics.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { until } from '../support/until.js';
import {
  activeFlow,
  isAside,
  LIST,
  listed,
  refusing,
  RETRY,
  rowOf,
  tripsOf,
  type Listed,
} from './dead-letters-fixture.js';

let app: TestApp;
let admin: pg.Client;
let otherWorkspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  otherWorkspace = await app.workspace();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

async function counted(kind: string): Promise<number> {
  const { values } = await app.app.get(Metrics).deadLetters.get();
  return values.find(({ labels }) => labels.kind === kind)?.value ?? 0;
}

/** Waits until one dead letter is listed, and checks what each workspace sees of it. */
async function aside(workspace: TestWorkspace, kind: string, code: string, before: number): Promise<Listed> {
  await until('the work is set aside', () => isAside(admin, workspace));
  const [work] = await listed(workspace);
  expect(work).toEqual({
    id: expect.any(String),
    kind,
    code,
    subjectId: expect.any(String),
    reason: expect.stringMatching(/\.$/),
    at: expect.any(String),
  });
  expect(await counted(kind)).toBe(before + 1);
  expect(await listed(otherWorkspace)).toEqual([]);
  expect((await otherWorkspace.graphql(RETRY, { id: work!.id })).body.data).toEqual({
    retrySetAsideWork: null,
  });
  expect(await listed(workspace)).toHaveLength(1);
  return work!;
}

async function retry(workspace: TestWorkspace, { id, kind }: Listed): Promise<void> {
  const { body } = await workspace.graphql(RETRY, { id });
  expect(body.data).toEqual({ retrySetAsideWork: { id, kind, isPutBack: true } });
  expect(await listed(workspace)).toEqual([]);
}

test('an event', async () => {
  const workspace = await app.workspace();
  const before = await counted('event');
  const names = Array.from({ length: 21 }, (_, index) => `contact-${index}`);
  // A row that no request could store, in the middle of valid ones.
  await admin.query(
    `INSERT INTO events (workspace_id, environment, id, external_id, event_name, attributes, contact, occurred_at, received_at)
     SELECT $1, 'live', gen_random_uuid(), name, 'signed_up', '{}',
       CASE name WHEN 'contact-10' THEN '{"tags": 5}' ELSE '{"first_name": "Ada"}' END::jsonb, now(), now()
     FROM unnest($2::text[]) AS name`,
    [workspace.id, names],
  );
  const work = await aside(workspace, 'event', 'product_fault', before);
  await until('its neighbours are done', async () => {
    const { n } = await rowOf<{ n: number }>(
      admin,
      'SELECT count(*)::int AS n FROM contacts WHERE workspace_id = $1',
      [workspace.id],
    );
    return n === 20;
  });
  expect((await workspace.call('GET', '/v1/contacts/contact-10')).status).toBe(404);
  await admin.query(`UPDATE events SET contact = '{"first_name": "Eve"}' WHERE id = $1`, [work.subjectId]);
  await retry(workspace, work);
  await until(
    'it is done',
    async () => (await workspace.call('GET', '/v1/contacts/contact-10')).status === 200,
  );
});

test('a trip', async () => {
  const workspace = await app.workspace();
  const before = await counted('trip');
  const steps = [
    { type: 'wait', duration: '1d' },
    { type: 'update_contact', set: { plan: 'pro' } },
  ];
  const sound = await activeFlow(workspace, 'sound', steps);
  const broken = await activeFlow(workspace, 'broken', steps);
  const post = (externalId: string, name: string): Promise<unknown> =>
    workspace.call('POST', '/v1/events', { external_id: externalId, event_name: name });
  for (let index = 0; index < 5; index++) await post(`sound-${index}`, 'sound');
  await post('broken', 'broken');
  for (let index = 5; index < 10; index++) await post(`sound-${index}`, 'sound');
  await until(
    'all are parked',
    async () => [...(await tripsOf(workspace, sound)), ...(await tripsOf(workspace, broken))].length === 11,
  );
  await admin.query(`UPDATE flows SET steps = jsonb_set(steps, '{1,set}', 'null') WHERE id = $1`, [broken]);
  app.clock.wind(DAY);
  const work = await aside(workspace, 'trip', 'product_fault', before);
  await until('its neighbours are done', async () =>
    (await tripsOf(workspace, sound)).every(({ status }) => status === 'completed'),
  );
  expect(await tripsOf(workspace, broken)).toMatchObject([{ id: work.subjectId, status: 'paused' }]);
  await admin.query(
    `UPDATE flows SET steps = jsonb_set(steps, '{1,set}', '{"plan": "late"}') WHERE id = $1`,
    [broken],
  );
  await retry(workspace, work);
  await until('it is done', async () => (await tripsOf(workspace, broken))[0].status === 'completed');
  expect((await workspace.call('GET', '/v1/contacts/broken')).body.properties).toEqual({ plan: 'late' });
});

test('a trip whose failure may pass is tried with pauses, and set aside at their end', async () => {
  const workspace = await app.workspace();
  const before = await counted('trip');
  const flow = await activeFlow(workspace, 'signed_up', [{ type: 'wait', duration: '1h' }]);
  for (const externalId of ['ada', 'bob'])
    await workspace.call('POST', '/v1/events', { external_id: externalId, event_name: 'signed_up' });
  await until('both are parked', async () => (await tripsOf(workspace, flow)).length === 2);
  const poisoned = (await tripsOf(workspace, flow)).find((trip) => trip.external_id === 'ada');
  const mend = await refusing(
    admin,
    'trips',
    `NEW.id = '${poisoned.id}' AND NEW.status = 'completed'`,
    'UPDATE',
    '55P03',
  );
  app.clock.wind(HOUR);
  const from = app.clock.now();
  await until('it is set aside', async () => {
    app.clock.wind(60_000);
    return isAside(admin, workspace);
  });
  expect(app.clock.now().getTime() - from.getTime()).toBeGreaterThan(10 * 60_000);
  const work = await aside(workspace, 'trip', 'kept_failing', before);
  const statuses = (await tripsOf(workspace, flow)).map(
    ({ external_id: id, status }) => [id, status] as const,
  );
  expect(new Map(statuses)).toEqual(
    new Map([
      ['ada', 'paused'],
      ['bob', 'completed'],
    ]),
  );
  await mend();
  await retry(workspace, work);
  await until('it is done', async () =>
    (await tripsOf(workspace, flow)).every(({ status }) => status === 'completed'),
  );
});

test('a message', async () => {
  const workspace = await app.workspace();
  const before = await counted('send');
  await workspace.call('POST', '/v1/templates', {
    name: 'Welcome',
    slug: 'welcome',
    subject: 'Hi',
    body_html: '<p>Hi</p>',
  });
  await activeFlow(workspace, 'signed_up', [{ type: 'send_email', template_slug: 'welcome' }]);
  const poisoned = await workspace.call('POST', '/v1/contacts', {
    external_id: 'eve',
    email: `eve.${workspace.id}@example.com`,
  });
  await admin.query(`CREATE FUNCTION explode() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.options = 'null'; RETURN NEW; END $$;
    CREATE TRIGGER explode BEFORE INSERT ON email_logs FOR EACH ROW WHEN (NEW.contact_id = '${poisoned.body.id}')
    EXECUTE FUNCTION explode()`);
  for (const name of ['ada', 'eve', 'bob'])
    await workspace.call('POST', '/v1/events', {
      external_id: name,
      event_name: 'signed_up',
      contact: { email: `${name}.${workspace.id}@example.com` },
    });
  const work = await aside(workspace, 'send', 'product_fault', before);
  const mails = (name: string): number => app.sink.to(`${name}.${workspace.id}@example.com`).length;
  await until('its neighbours are sent', () => mails('ada') + mails('bob') === 2);
  const log = await rowOf<{ status: string; error_code: string }>(
    admin,
    'SELECT * FROM email_logs WHERE id = $1',
    [work.subjectId],
  );
  expect(log).toMatchObject({ status: 'failed', error_code: 'internal_error' });
  await admin.query('DROP FUNCTION explode() CASCADE');
  await admin.query(`UPDATE email_logs SET options = '{}' WHERE id = $1`, [work.subjectId]);
  await retry(workspace, work);
  await until('it is sent', () => mails('eve') === 1);
});

const VIPS = `mutation { createSegment(input: { name: "VIPs", match: "all",
  conditions: [{ field: "properties.plan", operator: "equals", value: "pro" }] }) { id } }`;

async function members(segmentId: string): Promise<number> {
  const { n } = await rowOf<{ n: number }>(
    admin,
    'SELECT count(*)::int AS n FROM segment_members WHERE segment_id = $1 AND left_at IS NULL',
    [segmentId],
  );
  return n;
}

async function segment(workspace: TestWorkspace): Promise<string> {
  const { body } = await workspace.graphql(VIPS);
  expect(body.errors).toBeUndefined();
  const { id } = body.data.createSegment;
  await until('the segment is looked up', async () => {
    const row = await rowOf<{ refreshed_at: Date | null }>(
      admin,
      `SELECT refreshed_at FROM segment_refreshes WHERE segment_id = $1 AND environment = 'live'`,
      [id],
    );
    return row.refreshed_at !== null;
  });
  return id;
}

test('a touched contact', async () => {
  const workspace = await app.workspace();
  const before = await counted('segment_touch');
  const segmentId = await segment(workspace);
  const ids: string[] = [];
  for (let index = 0; index < 7; index++) {
    const { body } = await workspace.call('POST', '/v1/contacts', { external_id: `c${index}` });
    ids.push(body.id);
  }
  await until('all are decided', async () => {
    const { n } = await rowOf<{ n: number }>(
      admin,
      'SELECT count(*)::int AS n FROM segment_touches WHERE workspace_id = $1',
      [workspace.id],
    );
    return n === 0;
  });
  const mend = await refusing(admin, 'segment_members', `NEW.contact_id = '${ids[3]}'`, 'INSERT', '22P02');
  const contacts = ids.map((_, index) => ({ external_id: `c${index}`, properties: { plan: 'pro' } }));
  await workspace.call('POST', '/v1/contacts/bulk', { contacts });
  const work = await aside(workspace, 'segment_touch', 'value_refused', before);
  expect(work.subjectId).toBe(ids[3]);
  await until('its neighbours are decided', async () => (await members(segmentId)) === 6);
  await mend();
  await retry(workspace, work);
  await until('it is decided', async () => (await members(segmentId)) === 7);
});

test('a segment', async () => {
  const workspace = await app.workspace();
  const before = await counted('segment_refresh');
  const broken = await segment(workspace);
  const again = async (): Promise<Date> => {
    const row = await rowOf<{ refreshed_at: Date }>(
      admin,
      `SELECT refreshed_at FROM segment_refreshes WHERE segment_id = $1 AND environment = 'live'`,
      [broken],
    );
    return row.refreshed_at;
  };
  const { conditions } = await rowOf<{ conditions: object[] }>(
    admin,
    'SELECT conditions FROM segments WHERE id = $1',
    [broken],
  );
  await admin.query(
    `UPDATE segments SET conditions = '[{"field": "tags", "operator": "older", "value": 1}]'
    WHERE id = $1`,
    [broken],
  );
  app.clock.wind(1_000);
  const asked = app.clock.now();
  await admin.query(
    `UPDATE segment_refreshes SET refresh_at = $2 WHERE segment_id = $1 AND environment = 'live'`,
    [broken, asked],
  );
  const work = await aside(workspace, 'segment_refresh', 'refused_by_rules', before);
  expect(work.subjectId).toBe(broken);
  await admin.query('UPDATE segments SET conditions = $2 WHERE id = $1', [
    broken,
    JSON.stringify(conditions),
  ]);
  await retry(workspace, work);
  await until('it is looked up', async () => (await again()) >= asked);
});

test('what retention cannot delete', async () => {
  const workspace = await app.workspace({ plan: 'free' });
  const before = await counted('retention');
  for (let index = 0; index < 5; index++)
    await workspace.call('POST', '/v1/events', { external_id: `c${index}`, event_name: 'signed_up' });
  const left = async (): Promise<string[]> =>
    (
      await admin.query<{ id: string }>(
        'SELECT id FROM events WHERE workspace_id = $1 AND processed_at IS NOT NULL ORDER BY id',
        [workspace.id],
      )
    ).rows.map(({ id }) => id);
  await until('all are processed', async () => (await left()).length === 5);
  const [, , poisoned] = await left();
  const mend = await refusing(admin, 'events', `OLD.id = '${poisoned}'`, 'DELETE', 'P0001');
  app.clock.wind(400 * DAY);
  const work = await aside(workspace, 'retention', 'value_refused', before);
  expect(work.subjectId).toBe(poisoned);
  await until('its neighbours are deleted', async () => (await left()).length === 1);
  await mend();
  await retry(workspace, work);
  await until('it is deleted', async () => (await left()).length === 0);
});

test('the list goes by pages, for those who look after the integration alone', async () => {
  const workspace = await app.workspace({
    members: [
      { email: 'pages-owner@example.com', role: 'owner' },
      { email: 'pages-viewer@example.com', role: 'viewer' },
      { email: 'pages-developer@example.com', role: 'developer' },
    ],
  });
  await admin.query(
    `INSERT INTO set_aside_work (workspace_id, environment, id, kind, subject_id, code, set_aside_at)
     SELECT $1, 'live', ('0190a5d2-7c3e-7b61-9a3e-00000000000' || n)::uuid, 'event', gen_random_uuid(), 'kept_failing', now()
     FROM generate_series(1, 5) AS n`,
    [workspace.id],
  );
  const ask = async (email: string, variables: object): Promise<any> =>
    (
      await app.request(
        'POST',
        '/graphql',
        { query: LIST, variables },
        { authorization: `Bearer ${await app.token(email)}`, 'x-workspace-id': workspace.id },
      )
    ).body;
  const first = (await ask('pages-developer@example.com', { first: 3 })).data.setAsideWork;
  expect([first.edges.length, first.pageInfo.hasNextPage]).toEqual([3, true]);
  const rest = (await ask('pages-owner@example.com', { first: 3, after: first.pageInfo.endCursor })).data
    .setAsideWork;
  expect([rest.edges.length, rest.pageInfo.hasNextPage]).toEqual([2, false]);
  expect([first.totalCount, rest.totalCount]).toEqual([5, 5]);
  const all = [...first.edges, ...rest.edges].map(({ node }: { node: Listed }) => node.id);
  expect(all).toEqual([...all].sort().reverse());
  expect((await ask('pages-owner@example.com', { after: 'nonsense' })).errors[0].extensions.code).toBe(
    'invalid_field',
  );
  expect((await ask('pages-viewer@example.com', {})).errors[0].extensions.code).toBe('insufficient_role');
});

test('each sees and puts back what the permissions of the role reach', async () => {
  const roles = ['owner', 'admin', 'developer', 'marketing', 'operations', 'viewer'] as const;
  const workspace = await app.workspace({
    members: roles.map((role) => ({ email: `kinds-${role}@example.com`, role })),
  });
  await admin.query(
    `INSERT INTO set_aside_work (workspace_id, environment, id, kind, subject_id, code, set_aside_at)
     SELECT $1, 'live', gen_random_uuid(), kind, gen_random_uuid(), 'kept_failing', now() FROM unnest($2::text[]) AS kind`,
    [workspace.id, WORK_KINDS],
  );
  const ask = async (role: string, query: string, variables = {}): Promise<any> =>
    (
      await app.request(
        'POST',
        '/graphql',
        { query, variables },
        {
          authorization: `Bearer ${await app.token(`kinds-${role}@example.com`)}`,
          'x-workspace-id': workspace.id,
        },
      )
    ).body;
  const all: Listed[] = (await ask('owner', LIST)).data.setAsideWork.edges.map(
    ({ node }: { node: Listed }) => node,
  );
  const idOf = (kind: string): string => all.find((work) => work.kind === kind)!.id;
  const kinds = async (role: string): Promise<string[]> =>
    (await ask(role, LIST)).data.setAsideWork.edges.map(({ node }: { node: Listed }) => node.kind).sort();
  const ofSends = ['feedback', 'send', 'settled_send'];
  const notDevelopers = [...ofSends, 'campaign', 'domain_check', 'notice', 'report_schedule'];
  const ofSegments = ['segment_refresh', 'segment_touch'];
  const everything = [...WORK_KINDS].sort();
  expect(await kinds('owner')).toEqual(everything);
  expect(await kinds('admin')).toEqual(everything);
  expect(await kinds('developer')).toEqual(everything.filter((kind) => !notDevelopers.includes(kind)));
  expect(await kinds('marketing')).toEqual(['campaign', ...ofSegments, 'trip']);
  expect(await kinds('operations')).toEqual(ofSends);
  expect((await ask('viewer', RETRY, { id: idOf('trip') })).errors[0].extensions.code).toBe(
    'insufficient_role',
  );
  for (const [role, kind] of [
    ['developer', 'send'],
    ['developer', 'domain_check'],
    ['developer', 'notice'],
    ['developer', 'report_schedule'],
    ['developer', 'campaign'],
    ['marketing', 'event'],
    ['operations', 'trip'],
  ] as const)
    expect((await ask(role, RETRY, { id: idOf(kind) })).errors[0].extensions).toMatchObject({
      code: 'missing_permission',
    });
  expect(await kinds('owner')).toEqual(everything);
  // None of them has a record any more.
  for (const [role, kind] of [
    ['developer', 'event'],
    ['marketing', 'trip'],
    ['marketing', 'segment_refresh'],
    ['operations', 'send'],
    ['operations', 'settled_send'],
    ['operations', 'feedback'],
    ['admin', 'domain_check'],
    ['admin', 'notice'],
    ['admin', 'report_schedule'],
    ['marketing', 'campaign'],
  ] as const)
    expect((await ask(role, RETRY, { id: idOf(kind) })).data.retrySetAsideWork).toEqual({
      id: idOf(kind),
      kind,
      isPutBack: false,
    });
  expect(await kinds('owner')).toEqual(['retention', 'segment_touch']);
});
