/** The dashboard's resolvers behind the same guard as REST: workspace, members, API keys, going live. */
import pg from 'pg';
import { sharedApp, type TestApp } from '../support/app.js';

interface GraphqlAnswer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: Record<string, unknown> }[];
}

const MEMBERS = [
  { email: 'owner@acme.test', name: 'Olive', role: 'owner' },
  { email: 'admin@acme.test', role: 'admin' },
  { email: 'viewer@acme.test', role: 'viewer' },
];

/** The records of a connection. */
function nodesOf<Node = object>(list: unknown): Node[] {
  return (list as { edges: { node: Node }[] }).edges.map(({ node }) => node);
}

let service: TestApp;

beforeAll(async () => {
  service = await sharedApp();
});

afterAll(async () => {
  await service?.close();
});

/** A workspace with members of three roles, and a function that sends a request as one of them. */
async function workspaceOf(overrides: object = {}) {
  const { id, key } = await service.workspace({ members: MEMBERS, plan: 'starter', ...overrides });
  const ask = async (role: string, query: string, variables: object = {}): Promise<GraphqlAnswer> => {
    const headers = {
      authorization: `Bearer ${await service.token(`${role}@acme.test`)}`,
      'x-workspace-id': id,
    };
    const { body } = await service.request('POST', '/graphql', { query, variables }, headers);
    return body as GraphqlAnswer;
  };
  return { id, key, ask };
}

const CREATE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey { id name scope environment hint rateLimitPerMinute revokedAt } } }`;
const KEYS = '{ apiKeys { edges { node { id name hint revokedAt } } } }';
const REVOKE = 'mutation ($id: ID!) { revokeApiKey(id: $id) { id revokedAt } }';
const GO_LIVE = 'mutation { goLive { live liveAt } }';

test('the workspace shows itself and the environment of the request', async () => {
  const { id, ask } = await workspaceOf({ settings: { frequency_cap: { max: 3, period_hours: 24 } } });
  const { data } = await ask(
    'viewer',
    `{ workspace { id plan status live environment company { name postalCode region complete } sender { fromEmail replyTo }
       settings { frequencyCap { max periodHours } dnd { start } } } }`,
  );
  expect(data?.['workspace']).toEqual({
    id,
    plan: 'starter',
    status: 'active',
    live: true,
    environment: 'live',
    company: { name: 'Acme Inc', postalCode: '62701', region: null, complete: true },
    sender: { fromEmail: 'hello@acme.test', replyTo: null },
    settings: { frequencyCap: { max: 3, periodHours: 24 }, dnd: null },
  });
});

test('members are shown to those who manage them', async () => {
  const { ask } = await workspaceOf();
  const { data } = await ask(
    'admin',
    '{ members { edges { node { email name role isActive inviteAcceptedAt } } } }',
  );
  const members = nodesOf<{ email: string }>(data?.['members']);
  expect(members.map(({ email }) => email).sort()).toEqual([
    'admin@acme.test',
    'owner@acme.test',
    'viewer@acme.test',
  ]);
  const refused = await ask('viewer', '{ members { edges { node { email } } } }');
  expect(refused.errors?.[0]?.extensions).toMatchObject({
    code: 'missing_permission',
    required_permission: 'members:read',
  });
});

test('a request of several fields is one request of one caller', async () => {
  const { ask } = await workspaceOf();
  const { data } = await ask(
    'owner',
    '{ one: workspace { id } two: workspace { id } members { edges { cursor } } apiKeys { edges { cursor } } }',
  );
  expect(Object.keys(data ?? {})).toEqual(['one', 'two', 'members', 'apiKeys']);
});

test('keys are made, shown once, listed and revoked', async () => {
  const { id, ask } = await workspaceOf();
  const input = { name: 'server', scope: 'data', environment: 'test', rateLimitPerMinute: 7 };
  const made = (await ask('admin', CREATE, { input })).data?.['createApiKey'] as {
    key: string;
    apiKey: { id: string; hint: string };
  };
  expect(made.key).toMatch(/^psk_test_[0-9a-f]{32}$/);
  expect(made.apiKey).toMatchObject({ ...input, hint: made.key.slice(-4), revokedAt: null });
  const listed = nodesOf((await ask('owner', KEYS)).data?.['apiKeys']);
  expect(listed).toHaveLength(3);
  expect(JSON.stringify(listed)).not.toContain(made.key);

  const call = () =>
    service.request(
      'POST',
      '/v1/contacts',
      { external_id: 'u1' },
      { 'x-workspace-id': id, 'x-api-key': made.key },
    );
  expect((await call()).headers.get('x-ratelimit-limit')).toBe('7');
  const revoked = (await ask('owner', REVOKE, { id: made.apiKey.id })).data?.['revokeApiKey'];
  expect(revoked).toEqual({ id: made.apiKey.id, revokedAt: service.clock.now().toISOString() });
  expect((await ask('owner', REVOKE, { id })).errors?.[0]?.extensions?.['code']).toBe('not_found');
});

test('keys are refused beyond the plan, beyond its rate, and to those who do not manage members', async () => {
  const { ask } = await workspaceOf({ plan: 'free' });
  const input = { name: 'third', scope: 'data', environment: 'live' };
  expect((await ask('owner', CREATE, { input })).errors?.[0]?.extensions).toMatchObject({
    code: 'plan_limit_reached',
    limit_type: 'api_keys',
    current: 2,
    maximum: 2,
    plan: 'free',
  });
  const fast = await ask('owner', CREATE, { input: { ...input, rateLimitPerMinute: 1_001 } });
  expect(fast.errors?.[0]?.extensions?.['code']).toBe('invalid_field');
  for (const query of [KEYS, CREATE]) {
    const refused = await ask('viewer', query, { input });
    expect(refused.errors?.[0]?.extensions?.['code']).toBe('missing_permission');
  }
});

test('an API key reaches no field of the dashboard', async () => {
  const { id, key } = await workspaceOf();
  const { body } = await service.request(
    'POST',
    '/graphql',
    { query: KEYS },
    { 'x-workspace-id': id, 'x-api-key': key },
  );
  expect((body as GraphqlAnswer).errors?.[0]?.extensions).toMatchObject({ code: 'control_plane_only' });
  const nobody = await service.request('POST', '/graphql', { query: KEYS });
  expect((nobody.body as GraphqlAnswer).errors?.[0]?.extensions?.['code']).toBe('missing_token');
});

test('going live is for owner and admin, and names what is missing', async () => {
  const { id, ask } = await workspaceOf({ live: false, account_email_verified: false });
  expect((await ask('viewer', GO_LIVE)).errors?.[0]?.extensions).toMatchObject({
    code: 'insufficient_role',
    required_roles: ['owner', 'admin'],
    your_role: 'viewer',
  });
  expect((await ask('owner', GO_LIVE)).errors?.[0]?.extensions).toMatchObject({
    code: 'go_live_incomplete',
    missing: ['account_email'],
  });
  const admin = new pg.Client({ connectionString: service.adminUrl });
  await admin.connect();
  await admin.query('UPDATE workspaces SET account_email_verified = true WHERE id = $1', [id]);
  await admin.end();
  expect((await ask('admin', GO_LIVE)).data?.['goLive']).toEqual({
    live: true,
    liveAt: service.clock.now().toISOString(),
  });
});
