/** Who may access the API, and which errors everyone else receives: sections 5 and 7.2 over HTTP. */
import pg from 'pg';
import { LocalIssuer } from '../../src/modules/auth/application/local-issuer.js';
import { ApiKeyService } from '../../src/modules/api-keys/application/api-key.service.js';
import { planOf } from '../../src/modules/limits/domain/plan.js';
import { WorkspaceService } from '../../src/modules/workspaces/application/workspace.service.js';
import { seedFile, type SeededWorkspace } from '../../src/processes/cli/seed.js';
import { OPERATOR_AUTHOR, ROLES } from '../../src/kernel/principal.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { bootProbe, type ProbeApp } from './probe-app.js';

const SCOPES = ['data', 'reporting', 'management', 'full'] as const;

let database: TestDatabase;
let probe: ProbeApp;
let issuer: LocalIssuer;
let acme: SeededWorkspace;
let other: SeededWorkspace;
let admin: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  probe = await bootProbe(database.adminUrl);
  issuer = await LocalIssuer.open(probe.dataDir);
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  const { workspaces } = await seedFile(
    {
      workspaces: [
        {
          name: 'Acme',
          plan: 'enterprise',
          members: [
            ...ROLES.map((role) => ({ email: `${role}@acme.test`, role })),
            { email: 'both@acme.test', role: 'viewer' },
          ],
          api_keys: [
            ...SCOPES.map((scope) => ({ name: scope, scope, environment: 'live' })),
            { name: 'sandbox', scope: 'full', environment: 'test' },
          ],
        },
        { name: 'Other', plan: 'enterprise', members: [{ email: 'both@acme.test', role: 'owner' }] },
      ],
    },
    probe.app,
  );
  [acme, other] = workspaces as unknown as [SeededWorkspace, SeededWorkspace];
});

afterAll(async () => {
  await admin?.end();
  await probe?.close();
  await database?.drop();
});

const token = async (email: string): Promise<string> => (await issuer.issue({ email }, 1, new Date())).token;
const rawKey = (name: string): string => acme.api_keys?.find((key) => key['name'] === name)?.key ?? '';
const withKey = (name: string): Record<string, string> => ({
  'x-workspace-id': acme.id,
  'x-api-key': rawKey(name),
});
const asRole = async (role: string): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await token(`${role}@acme.test`)}`,
  'x-workspace-id': acme.id,
});

describe('401', () => {
  test.each<[string, () => Record<string, string>, string]>([
    ['no credentials', () => ({}), 'missing_token'],
    ['a workspace alone', () => ({ 'x-workspace-id': acme.id }), 'missing_api_key'],
    ['a key without workspace', () => ({ 'x-api-key': rawKey('full') }), 'missing_workspace_id'],
    ['a text that is no key', () => ({ ...withKey('full'), 'x-api-key': 'secret' }), 'invalid_api_key'],
    [
      'a key nobody has',
      () => ({ ...withKey('full'), 'x-api-key': `psk_live_${'0'.repeat(32)}` }),
      'invalid_api_key',
    ],
    ['a token that is none', () => ({ authorization: 'Bearer nonsense' }), 'invalid_token'],
  ])('%s', async (_name, headers, code) => {
    const { status, body } = await probe.ask('GET', 'me', headers());
    expect([status, body['code']]).toEqual([401, code]);
    expect(typeof body['detail']).toBe('string');
    expect(typeof body['request_id']).toBe('string');
  });

  test('a bad key is refused although a good token is there: the key decides', async () => {
    const headers = { ...(await asRole('owner')), 'x-api-key': 'nonsense' };
    expect((await probe.ask('GET', 'me', headers)).body['code']).toBe('invalid_api_key');
  });

  test('a member of several workspaces must name one', async () => {
    const headers = { authorization: `Bearer ${await token('both@acme.test')}` };
    expect((await probe.ask('GET', 'me', headers)).body).toMatchObject({ code: 'missing_workspace_id' });
    const named = await probe.ask('GET', 'me', { ...headers, 'x-workspace-id': other.id });
    expect(named.body).toMatchObject({ workspaceId: other.id, role: 'owner' });
  });
});

describe('a body', () => {
  const withBody = async (headers: Record<string, string>): Promise<unknown[]> => {
    const answer = await fetch(`${probe.url}/v1/probe/contacts`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"no json',
    });
    const { code, reason } = (await answer.json()) as Record<string, unknown>;
    return [answer.status, code ?? reason];
  };

  test('is not read where its sender is not let in', async () => {
    expect(await withBody({})).toEqual([401, 'missing_token']);
    expect(await withBody({ ...withKey('full'), 'x-api-key': 'secret' })).toEqual([401, 'invalid_api_key']);
    expect(await withBody(await asRole('viewer'))).toEqual([403, 'missing_permission']);
    expect(await withBody(withKey('reporting'))).toEqual([403, 'scope_forbidden']);
  });

  test('is read where its sender is, also by a route that takes none', async () => {
    expect(await withBody(withKey('full'))).toEqual([400, 'validation_error']);
    expect(await withBody(await asRole('owner'))).toEqual([400, 'validation_error']);
  });
});

describe('workspace_mismatch', () => {
  test.each<[string, () => Promise<Record<string, string>>]>([
    ['a key of another workspace', async () => ({ ...withKey('full'), 'x-workspace-id': other.id })],
    ['a workspace that is no id', async () => ({ ...withKey('full'), 'x-workspace-id': 'acme' })],
    [
      'a person in a foreign workspace',
      async () => ({ ...(await asRole('owner')), 'x-workspace-id': other.id }),
    ],
    ['a person in none', async () => ({ authorization: `Bearer ${await token('nobody@acme.test')}` })],
  ])('%s', async (_name, headers) => {
    const { status, body } = await probe.ask('GET', 'me', await headers());
    expect([status, body['code']]).toEqual([403, 'workspace_mismatch']);
  });
});

describe('keys', () => {
  test.each([
    ['GET', 'contacts', ['data', 'management', 'full']],
    ['POST', 'contacts', ['data', 'management', 'full']],
    ['GET', 'analytics', ['reporting', 'full']],
    ['POST', 'flows', ['management', 'full']],
    ['GET', 'members', []],
    ['POST', 'administration', []],
  ] as const)('%s %s is reached by %p', async (method, path, reaching) => {
    const passed: string[] = [];
    for (const scope of SCOPES)
      if ((await probe.ask(method, path, withKey(scope))).status < 300) passed.push(scope);
    expect(passed).toEqual(reaching);
  });

  test('are refused with what they would need', async () => {
    const bodyOf = async (method: string, path: string, name: string): Promise<unknown> => {
      const { status, body } = await probe.ask(method, path, withKey(name));
      expect(status).toBe(403);
      return body;
    };
    expect(await bodyOf('GET', 'members', 'full')).toMatchObject({
      error: 'forbidden',
      reason: 'control_plane_only',
      dashboard_url: expect.stringMatching(/^http:/) as string,
    });
    expect(await bodyOf('GET', 'analytics', 'data')).toMatchObject({
      error: 'forbidden',
      reason: 'insufficient_scope',
      required_scopes: ['reporting', 'full'],
      your_scopes: ['data'],
    });
    expect(await bodyOf('POST', 'contacts', 'reporting')).toMatchObject({
      error: 'forbidden',
      reason: 'scope_forbidden',
      required_scope: 'data',
    });
  });

  test('bring their own environment', async () => {
    const sandbox = await probe.ask('GET', 'me', { ...withKey('sandbox'), 'x-environment': 'live' });
    expect(sandbox.body).toMatchObject({
      kind: 'api_key',
      environment: 'test',
      scope: 'full',
      plan: 'enterprise',
    });
  });
});

describe('members', () => {
  test.each([
    ['GET', 'contacts', ['owner', 'admin', 'developer', 'operations']],
    ['POST', 'contacts', ['owner', 'admin', 'developer']],
    ['GET', 'analytics', ['owner', 'admin', 'marketing', 'operations', 'viewer']],
    ['POST', 'flows', ['owner', 'admin', 'developer', 'marketing']],
    ['GET', 'members', ['owner', 'admin']],
    ['POST', 'administration', ['owner', 'admin']],
  ] as const)('%s %s is for %p', async (method, path, allowed) => {
    const passed: string[] = [];
    for (const role of ROLES)
      if ((await probe.ask(method, path, await asRole(role))).status < 300) passed.push(role);
    expect(passed).toEqual(allowed);
  });

  test('are refused with what they would need', async () => {
    const flows = await probe.ask('POST', 'flows', await asRole('viewer'));
    expect(flows.status).toBe(403);
    expect(flows.body).toMatchObject({
      error: 'forbidden',
      reason: 'missing_permission',
      required_permission: 'flows:write',
    });
    const roles = await probe.ask('POST', 'administration', await asRole('developer'));
    expect(roles.body).toMatchObject({
      error: 'forbidden',
      reason: 'insufficient_role',
      required_roles: ['owner', 'admin'],
      your_role: 'developer',
    });
  });

  test('need no header where they have one workspace, and choose the environment', async () => {
    const authorization = `Bearer ${await token('viewer@acme.test')}`;
    expect((await probe.ask('GET', 'me', { authorization })).body).toMatchObject({
      kind: 'member',
      workspaceId: acme.id,
      environment: 'live',
      role: 'viewer',
    });
    const test = await probe.ask('GET', 'me', { authorization, 'x-environment': 'test' });
    expect(test.body['environment']).toBe('test');
    const wrong = await probe.ask('GET', 'me', { authorization, 'x-environment': 'staging' });
    expect([wrong.status, wrong.body['code']]).toEqual([422, 'invalid_field']);
  });

  test('are linked to their identity by the first request, and by nothing after it', async () => {
    const { rows } = await admin.query<{ identity_subject: string | null }>(
      `SELECT identity_subject FROM members WHERE workspace_id = $1 AND email_key = 'admin@acme.test'`,
      [acme.id],
    );
    const { subject } = await issuer.issue({ email: 'admin@acme.test' }, 1, new Date());
    expect(rows).toEqual([{ identity_subject: subject }]);
    await admin.query(
      `UPDATE members SET identity_subject = 'somebody-else' WHERE workspace_id = $1 AND email_key = 'admin@acme.test'`,
      [acme.id],
    );
    expect((await probe.ask('GET', 'me', await asRole('admin'))).body['code']).toBe('workspace_mismatch');
    await admin.query(
      `UPDATE members SET identity_subject = $2 WHERE workspace_id = $1 AND email_key = 'admin@acme.test'`,
      [acme.id, subject],
    );
  });

  test('who are pending or deactivated do not get in, and are not linked', async () => {
    await admin.query(`UPDATE members SET is_active = false WHERE workspace_id = $1 AND role = 'marketing'`, [
      acme.id,
    ]);
    expect((await probe.ask('GET', 'me', await asRole('marketing'))).body['code']).toBe('workspace_mismatch');
    await admin.query(
      `INSERT INTO members (workspace_id, id, email, email_key, role, is_active, created_at, updated_at)
       VALUES ($1, gen_random_uuid(), 'new@acme.test', 'new@acme.test', 'viewer', false, now(), now())`,
      [acme.id],
    );
    expect(
      (await probe.ask('GET', 'me', { authorization: `Bearer ${await token('new@acme.test')}` })).status,
    ).toBe(403);
    const { rows } = await admin.query(
      `SELECT 1 FROM members WHERE email_key = 'new@acme.test' AND identity_subject IS NOT NULL`,
    );
    expect(rows).toEqual([]);
  });
});

describe('routes', () => {
  test('that are public ask for nothing', async () => {
    expect((await probe.ask('GET', 'public')).status).toBe(200);
    expect((await probe.ask('GET', 'public', { authorization: 'Bearer nonsense' })).status).toBe(200);
  });

  test('that state no rule are refused, whoever asks', async () => {
    const failed = await probe.ask('GET', 'forgotten', withKey('full'));
    expect(failed.status).toBe(500);
    expect(failed.headers.get('x-ratelimit-limit')).not.toBeNull();
  });

  test("publish the local issuer's keys without its secret", async () => {
    const response = await fetch(`${probe.url}/.well-known/jwks.json`);
    const { keys } = (await response.json()) as { keys: Record<string, unknown>[] };
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256' });
    expect(keys[0]).not.toHaveProperty('d');
  });
});

describe('rate limits', () => {
  test('stand on every answer, refusals too', async () => {
    const fine = await probe.ask('GET', 'me', withKey('full'));
    expect(fine.headers.get('x-ratelimit-limit')).toBe('2147483647');
    for (const headers of [withKey('data'), {}]) {
      const refused = await probe.ask('GET', 'analytics', headers);
      expect(refused.status).toBeGreaterThanOrEqual(401);
      for (const name of ['limit', 'remaining', 'reset'])
        expect(Number(refused.headers.get(`x-ratelimit-${name}`))).toBeGreaterThan(0);
    }
  });

  const SLOW = { name: 'slow', scope: 'full', environment: 'live', rateLimitPerMinute: 3 } as const;

  test("a key's own limit answers 429 with Retry-After", async () => {
    const keys = probe.app.get(ApiKeyService);
    const workspace = await probe.app.get(WorkspaceService).get({ workspaceId: acme.id });
    const { raw } = await keys.create(
      { workspaceId: acme.id },
      planOf(workspace.plan),
      SLOW,
      OPERATOR_AUTHOR,
    );
    const headers = { 'x-workspace-id': acme.id, 'x-api-key': raw };
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await probe.ask('GET', 'me', headers));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map((answer) => answer.headers.get('x-ratelimit-remaining'))).toEqual([
      '2',
      '1',
      '0',
      '0',
    ]);
    const last = answers[3];
    expect(last?.body['code']).toBe('rate_limit_exceeded');
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(last?.headers.get('retry-after'))).toBeLessThanOrEqual(61);
  });
});

describe('a workspace that is suspended', () => {
  test('is read-only at once, and is told so', async () => {
    expect((await probe.ask('POST', 'contacts', withKey('data'))).status).toBe(201);
    await admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [acme.id]);
    await until(
      'the change is known',
      async () => (await probe.ask('POST', 'contacts', withKey('data'))).status !== 201,
    );
    const refused = await probe.ask('POST', 'contacts', withKey('data'));
    expect([refused.status, refused.body['code']]).toEqual([403, 'workspace_suspended']);
    expect((await probe.ask('GET', 'contacts', withKey('data'))).status).toBe(200);
    expect((await probe.ask('POST', 'flows', await asRole('owner'))).body['code']).toBe(
      'workspace_suspended',
    );
  });
});
