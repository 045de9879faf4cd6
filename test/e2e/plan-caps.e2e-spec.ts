/**
 * Every cap of section 8.2 under load: sixty concurrent requests, alternating between two processes, compete for a few
 * remaining units, and exactly that many succeed. Each other answer names the cap, its limit and the plan.
 */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

const CROWD = 60;
/** How many units remain below the cap. */
const ROOM = 7;
const PLAN = 'starter';
const CAPS = {
  emails: 10_000,
  events: 100_000,
  contacts: 10_000,
  api_keys: 10,
  members: 3,
  flows: 25,
} as const;
type Cap = keyof typeof CAPS;

let app: TestApp;
let second: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
  second = await bootApp({ on: app, queues: [] });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await second?.end();
  await app?.close();
});
beforeEach(async () => {
  workspace = await app.workspace({ plan: PLAN });
});

/** One of the concurrent requests: sent to the first process or to the second. */
function call(n: number, method: string, path: string, body?: unknown, isPerson = false): Promise<Answer> {
  const house = n % 2 === 0 ? app : second;
  const who = isPerson ? { authorization: `Bearer ${workspace.ownerToken}` } : { 'x-api-key': workspace.key };
  return house.request(method, path, body, { 'x-workspace-id': workspace.id, ...who });
}
const crowd = (ask: (n: number) => Promise<Answer>, size = CROWD): Promise<Answer[]> =>
  Promise.all(Array.from({ length: size }, (_, n) => ask(n)));

/** Sets the usage so that only these few units remain. */
async function leaveRoom(cap: 'emails' | 'events' | 'contacts'): Promise<void> {
  const used = CAPS[cap] - ROOM;
  if (cap === 'contacts')
    await admin.query(
      `INSERT INTO contact_counts (workspace_id, environment, contacts) VALUES ($1, 'live', $2)
       ON CONFLICT (workspace_id, environment) DO UPDATE SET contacts = $2`,
      [workspace.id, used],
    );
  else {
    const [table, column] = cap === 'emails' ? ['monthly_emails', 'used'] : ['monthly_usage', 'events'];
    await admin.query(
      `INSERT INTO ${table} (workspace_id, environment, month, ${column}) VALUES ($1, 'live', $2, $3)
       ON CONFLICT (workspace_id, environment, month) DO UPDATE SET ${column} = $3`,
      [workspace.id, `${app.clock.now().toISOString().slice(0, 7)}-01`, used],
    );
  }
}
async function count(sql: string): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(`SELECT (${sql})::int AS n`, [workspace.id]);
  return rows[0]?.n ?? 0;
}
const figures = (cap: Cap): object => ({
  code: 'plan_limit_reached',
  detail: expect.any(String),
  limit_type: cap,
  current: CAPS[cap],
  maximum: CAPS[cap],
  plan: PLAN,
  request_id: expect.any(String),
});

/** Checks that exactly this many succeed, and that every other answer gives the reason. */
function exactly(answers: readonly Answer[], room: number, status: number, cap: Cap): void {
  const refused = answers.filter((answer) => answer.status !== status);
  expect(answers).toHaveLength(refused.length + room);
  for (const { status: code, body } of refused) expect([code, body]).toEqual([403, figures(cap)]);
}

async function template(): Promise<void> {
  const body = { name: 'Hello', slug: 'hello', subject: 'Hello', body_html: '<p>Hello</p>' };
  expect((await workspace.call('POST', '/v1/templates', body)).status).toBe(201);
}
const send = (n: number, externalId: string): Promise<Answer> =>
  call(n, 'POST', '/v1/send', {
    template_slug: 'hello',
    to: { external_id: externalId, email: `${externalId}@example.com` },
  });
const event = (externalId: string): object => ({ external_id: externalId, event_name: 'seen' });

test('emails', async () => {
  await template();
  await leaveRoom('emails');
  exactly(await crowd((n) => send(n, `p${n}`)), ROOM, 200, 'emails');
  expect(await count('SELECT used FROM monthly_emails WHERE workspace_id = $1')).toBe(CAPS.emails);
  expect(await count('SELECT count(*) FROM email_logs WHERE workspace_id = $1')).toBe(ROOM);
});

test('events, one by one', async () => {
  await leaveRoom('events');
  exactly(await crowd((n) => call(n, 'POST', '/v1/events', event(`p${n}`))), ROOM, 202, 'events');
  expect(await count('SELECT events FROM monthly_usage WHERE workspace_id = $1')).toBe(CAPS.events);
  expect(await count('SELECT count(*) FROM events WHERE workspace_id = $1')).toBe(ROOM);
});

test('events in batches, whose other items are rejected by name', async () => {
  await leaveRoom('events');
  const answers = await crowd((n) =>
    call(n, 'POST', '/v1/events/batch', { events: [0, 1, 2, 3, 4].map((item) => event(`p${n}-${item}`)) }),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  const sum = (name: 'accepted' | 'rejected'): number =>
    answers.reduce((total, { body }) => total + body[name], 0);
  expect([sum('accepted'), sum('rejected')]).toEqual([ROOM, CROWD * 5 - ROOM]);
  const codes = answers.flatMap(({ body }) => body.errors.map(({ code }: { code: string }) => code));
  expect([codes.length, ...new Set(codes)]).toEqual([CROWD * 5 - ROOM, 'plan_limit_reached']);
  expect(await count('SELECT events FROM monthly_usage WHERE workspace_id = $1')).toBe(CAPS.events);
});

test('contacts, one by one', async () => {
  await leaveRoom('contacts');
  const answers = await crowd((n) => call(n, 'POST', '/v1/contacts', { external_id: `p${n}` }));
  exactly(answers, ROOM, 201, 'contacts');
  expect(await count('SELECT count(*) FROM contacts WHERE workspace_id = $1')).toBe(ROOM);
  // Existing objects can be changed at the cap.
  const made = answers.find(({ status }) => status === 201)?.body.external_id as string;
  expect((await call(0, 'POST', '/v1/contacts', { external_id: made, first_name: 'Ada' })).status).toBe(200);
});

test('contacts by all ways at once: one by one, in bulk, of events, of direct sends', async () => {
  await template();
  await leaveRoom('contacts');
  const ways: ((n: number) => Promise<Answer>)[] = [
    (n) => call(n, 'POST', '/v1/contacts', { external_id: `one${n}` }),
    (n) => send(n, `mail${n}`),
    (n) => call(n, 'POST', '/v1/events', event(`event${n}`)),
  ];
  const bulk = (n: number): Promise<Answer> =>
    call(n, 'POST', '/v1/contacts/bulk', {
      contacts: Array.from({ length: 20 }, (_, item) => ({ external_id: `bulk${n}-${item}` })),
    });
  const [answers, imports] = await Promise.all([
    crowd((n) => ways[n % ways.length]!(n)),
    // Fewer than the limit of ten a minute: two processes that share a rate window may each hold units that the other
    // needs.
    crowd(bulk, 4),
  ]);
  await until(
    'events are processed',
    async () =>
      (await count('SELECT count(*) FROM events WHERE workspace_id = $1 AND processed_at IS NULL')) === 0,
  );
  expect(await count('SELECT count(*) FROM contacts WHERE workspace_id = $1')).toBe(ROOM);
  expect(
    await count(`SELECT contacts FROM contact_counts WHERE workspace_id = $1 AND environment = 'live'`),
  ).toBe(CAPS.contacts);
  // Events are still accepted, but their contacts are not created.
  expect(answers.filter((_, n) => n % 3 === 2).every(({ status }) => status === 202)).toBe(true);
  for (const { status, body } of answers.filter((_, n) => n % 3 !== 2))
    if (status === 403) expect(body).toEqual(figures('contacts'));
    else expect([200, 201]).toContain(status);
  expect(new Set(imports.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = imports.flatMap(({ body }) => body.errors.map(({ code }: { code: string }) => code));
  expect([...new Set(refused)]).toEqual(['plan_limit_reached']);
});

test('API keys', async () => {
  const query = `mutation ($n: String!) {
    createApiKey(input: { name: $n, scope: data, environment: live }) { apiKey { id } } }`;
  const answers = await crowd((n) =>
    call(n, 'POST', '/graphql', { query, variables: { n: `key ${n}` } }, true),
  );
  // Each answer is a GraphQL result: nothing else refused the request.
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([200]);
  const refused = answers.flatMap(({ body }) => body.errors ?? []);
  // The workspace already has two keys.
  expect(answers.length - refused.length).toBe(CAPS.api_keys - 2);
  for (const { extensions } of refused)
    expect(extensions).toMatchObject({
      ...{ code: 'plan_limit_reached', limit_type: 'api_keys', current: 10, maximum: 10, plan: PLAN },
    });
  expect(await count('SELECT count(*) FROM api_keys WHERE workspace_id = $1 AND revoked_at IS NULL')).toBe(
    CAPS.api_keys,
  );
});

test('members, each invited by one mail', async () => {
  const answers = await crowd((n) =>
    call(n, 'POST', '/v1/workspace/members/invite', { email: `caps${n}@example.com`, role: 'viewer' }, true),
  );
  exactly(answers, CAPS.members - 1, 201, 'members');
  expect(await count('SELECT count(*) FROM members WHERE workspace_id = $1')).toBe(CAPS.members);
  expect(await count('SELECT count(*) FROM notices WHERE workspace_id = $1')).toBe(CAPS.members - 1);
});

test('flows, made and copied', async () => {
  const flow = (n: number): object => ({
    ...{ name: `Flow ${n}`, trigger_event: 'came', content_type: 'transactional', steps: [] },
  });
  const { body } = await call(0, 'POST', '/v1/flows', flow(0));
  const answers = await crowd((n) =>
    n % 4 < 2 ? call(n, 'POST', '/v1/flows', flow(n)) : call(n, 'POST', `/v1/flows/${body.id}/duplicate`),
  );
  exactly(answers, CAPS.flows - 1, 201, 'flows');
  expect(await count('SELECT count(*) FROM flows WHERE workspace_id = $1')).toBe(CAPS.flows);
});
