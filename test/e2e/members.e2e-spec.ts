/**
 * The team over REST, sections 3.1 and 4.1: inviting, accepting, roles, deactivating, the owner, limits, the audit log.
 */
import pg from 'pg';
import { sharedApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

const MEMBERS = '/v1/workspace/members';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;
let serial = 0;

beforeAll(async () => {
  app = await sharedApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await app?.close();
});
beforeEach(async () => {
  workspace = await app.workspace();
});

/** Calls with a user's token, in the workspace of the test unless another is given. */
async function as(
  email: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { 'x-workspace-id': workspace.id },
): Promise<Answer> {
  const authorization = `Bearer ${await app.token(email)}`;
  return app.request(method, path, body, { authorization, ...headers });
}
function byOwner(method: string, path: string, body?: unknown, of = workspace): Promise<Answer> {
  const headers = { authorization: `Bearer ${of.ownerToken}`, 'x-workspace-id': of.id };
  return app.request(method, path, body, headers);
}
const newEmail = (): string => `person${++serial}@acme.test`;
async function invite(email = newEmail(), role = 'developer', of = workspace): Promise<any> {
  const { status, body } = await byOwner('POST', `${MEMBERS}/invite`, { email, role, name: 'Dora' }, of);
  expect(status).toBe(201);
  return body;
}
const accept = (email: string, id: string): Promise<Answer> =>
  as(email, 'POST', `${MEMBERS}/invitations/${id}/accept`, undefined, {});
async function joined(role = 'developer', of = workspace): Promise<any> {
  const invited = await invite(newEmail(), role, of);
  const { status, body } = await accept(invited.email, invited.id);
  expect(status).toBe(200);
  return body;
}
const team = async (query = ''): Promise<any> => (await byOwner('GET', MEMBERS + query)).body;
const owner = async (): Promise<any> =>
  (await team()).members.find(({ role }: { role: string }) => role === 'owner');

async function auditEntries(): Promise<any[]> {
  const { body } = await workspace.graphql(
    '{ auditLog(first: 50) { edges { node { action actor network subjectId before after } } } }',
  );
  expect(body.errors).toBeUndefined();
  // The workspace's keys were created before the test.
  return body.data.auditLog.edges
    .map(({ node }: { node: any }) => node)
    .filter(({ action }: { action: string }) => action !== 'api_key_created');
}

test('somebody is invited, sees the invitation without belonging to any workspace, and joins', async () => {
  const email = newEmail();
  const invited = await invite(email, 'marketing');
  expect(invited).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'Dora',
    email,
    role: 'marketing',
    is_active: false,
    created_at: app.clock.now().toISOString(),
    invite_accepted_at: null,
  });
  // A member who has not accepted yet has no access.
  expect((await as(email, 'GET', '/v1/flows')).body.code).toBe('workspace_mismatch');

  const listed = await as(email, 'GET', `${MEMBERS}/invitations`, undefined, {});
  expect([listed.status, listed.body]).toEqual([
    200,
    {
      invitations: [
        {
          invitation_id: invited.id,
          workspace_name: expect.stringContaining('Workspace'),
          workspace_id: workspace.id,
          role: 'marketing',
          invited_by: (await owner()).email,
          invited_at: invited.created_at,
        },
      ],
    },
  ]);
  expect(listed.headers.get('x-ratelimit-limit')).toBe('60');

  const before = await accept(email, invited.id);
  expect([before.status, before.body]).toEqual([
    200,
    { ...invited, is_active: true, invite_accepted_at: app.clock.now().toISOString() },
  ]);
  expect((await as(email, 'GET', '/v1/flows')).status).toBe(200);
  expect((await accept(email, invited.id)).status).toBe(404);
  expect((await as(email, 'GET', `${MEMBERS}/invitations`, undefined, {})).body).toEqual({ invitations: [] });
  expect((await auditEntries()).map(({ action, subjectId }) => [action, subjectId])).toEqual([
    ['invitation_accepted', invited.id],
    ['member_invited', invited.id],
  ]);
});

test('invitations of several workspaces are listed together, the latest first', async () => {
  const email = newEmail();
  const other = await app.workspace();
  await invite(email, 'viewer');
  app.clock.wind(1_000);
  await invite(email.toUpperCase(), 'admin', other);
  const { body } = await as(email, 'GET', `${MEMBERS}/invitations`, undefined, {});
  expect(body.invitations.map((one: any) => [one.workspace_id, one.role])).toEqual([
    [other.id, 'admin'],
    [workspace.id, 'viewer'],
  ]);
});

test('the list leaves out who is not active when it is asked to', async () => {
  const member = await joined();
  const pending = await invite();
  expect((await team()).total).toBe(3);
  expect((await team('?include_inactive=true')).members.map(({ id }: any) => id)).toEqual([
    (await owner()).id,
    member.id,
    pending.id,
  ]);
  const active = await team('?include_inactive=false');
  expect([active.total, active.members.map(({ id }: any) => id)]).toEqual([
    2,
    [(await owner()).id, member.id],
  ]);
  expect((await byOwner('GET', `${MEMBERS}?include_inactive=maybe`)).body.code).toBe('invalid_field');
});

test('a member is deactivated, loses access at once, keeps its record, and comes back with its role', async () => {
  const member = await joined('operations');
  expect((await as(member.email, 'GET', '/v1/contacts')).status).not.toBe(403);
  expect((await byOwner('DELETE', `${MEMBERS}/${member.id}`)).status).toBe(204);
  expect((await as(member.email, 'GET', '/v1/contacts')).body.code).toBe('workspace_mismatch');
  expect((await byOwner('DELETE', `${MEMBERS}/${member.id}`)).status).toBe(204);
  const kept = (await team()).members.find(({ id }: any) => id === member.id);
  expect(kept).toEqual({ ...member, is_active: false });
  // A former member is not invited again but activated.
  const again = await byOwner('POST', `${MEMBERS}/invite`, { email: member.email, role: 'viewer' });
  expect([again.status, again.body]).toEqual([
    409,
    { detail: expect.any(String), request_id: expect.any(String) },
  ]);
  const back = await byOwner('POST', `${MEMBERS}/${member.id}/activate`);
  expect([back.status, back.body]).toEqual([200, member]);
  expect((await byOwner('POST', `${MEMBERS}/${member.id}/activate`)).body).toEqual(member);
  expect((await auditEntries()).map(({ action }) => action)).toEqual([
    'member_activated',
    'member_deactivated',
    'invitation_accepted',
    'member_invited',
  ]);
});

test('an invitation that is taken back cannot be accepted, and the email can be invited again', async () => {
  const invited = await invite();
  expect((await byOwner('DELETE', `${MEMBERS}/${invited.id}`)).status).toBe(204);
  expect((await accept(invited.email, invited.id)).status).toBe(404);
  expect((await team()).total).toBe(1);
  const again = await invite(invited.email, 'viewer');
  expect((await accept(invited.email, again.id)).body.role).toBe('viewer');
});

test('a role changes what the member may do, at once', async () => {
  const member = await joined('viewer');
  expect((await as(member.email, 'GET', '/v1/flows')).status).toBe(403);
  const changed = await byOwner('PUT', `${MEMBERS}/${member.id}/role`, { role: 'developer' });
  expect([changed.status, changed.body]).toEqual([200, { ...member, role: 'developer' }]);
  expect((await as(member.email, 'GET', '/v1/flows')).status).toBe(200);
  expect((await auditEntries())[0]).toMatchObject({
    action: 'member_role_changed',
    actor: (await owner()).id,
    network: '127.0.0.1',
    subjectId: member.id,
    before: { role: 'viewer' },
    after: { role: 'developer' },
  });
});

describe('refused', () => {
  test.each([
    ['nothing', {}, 400, 'validation_error'],
    ['no role', { email: 'a@b.test' }, 400, 'validation_error'],
    ['no email', { role: 'viewer' }, 400, 'validation_error'],
    ['a malformed email', { email: 'nobody', role: 'viewer' }, 400, 'invalid_email'],
    ['the role of the owner', { email: 'a@b.test', role: 'owner' }, 422, 'invalid_field'],
    ['a role that there is not', { email: 'a@b.test', role: 'root' }, 422, 'invalid_field'],
    ['a name too long', { email: 'a@b.test', role: 'viewer', name: 'x'.repeat(256) }, 422, 'invalid_field'],
    ['a field that there is not', { email: 'a@b.test', role: 'viewer', id: 1 }, 422, 'invalid_field'],
  ])('an invitation with %s', async (_what, body, status, code) => {
    const answer = await byOwner('POST', `${MEMBERS}/invite`, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test("one's own role, the owner's, and who there is not", async () => {
    const colleague = await joined('admin');
    const { id: ownerId } = await owner();
    const role = (id: string, by: string): Promise<Answer> =>
      as(by, 'PUT', `${MEMBERS}/${id}/role`, { role: 'viewer' });
    const bare = { detail: expect.any(String), request_id: expect.any(String) };
    const answers = [
      await role(colleague.id, colleague.email),
      await role(ownerId, colleague.email),
      await as(colleague.email, 'DELETE', `${MEMBERS}/${colleague.id}`),
      await as(colleague.email, 'DELETE', `${MEMBERS}/${ownerId}`),
      await byOwner('DELETE', `${MEMBERS}/${ownerId}`),
      await byOwner('POST', `${MEMBERS}/${(await invite()).id}/activate`),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [400, bare]));
    for (const id of ['nonsense', '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea'])
      for (const [method, path, body] of [
        ['PUT', '/role', { role: 'viewer' }],
        ['DELETE', '', undefined],
        ['POST', '/activate', undefined],
      ] as const) {
        const answer = await byOwner(method, `${MEMBERS}/${id}${path}`, body);
        expect([answer.status, answer.body]).toEqual([404, bare]);
      }
  });

  test('members of other workspaces, and invitations to others', async () => {
    const other = await app.workspace();
    const foreign = await joined('viewer', other);
    for (const [method, path, body] of [
      ['PUT', '/role', { role: 'admin' }],
      ['DELETE', '', undefined],
      ['POST', '/activate', undefined],
    ] as const)
      expect((await byOwner(method, `${MEMBERS}/${foreign.id}${path}`, body)).status).toBe(404);
    const invited = await invite();
    expect((await accept(newEmail(), invited.id)).status).toBe(404);
    expect((await team()).members.at(-1).is_active).toBe(false);
  });

  test('keys, roles without the permission, and nobody', async () => {
    const member = await joined('developer');
    const read = await as(member.email, 'GET', MEMBERS);
    expect([read.status, read.body.reason, read.body.required_permission]).toEqual([
      403,
      'missing_permission',
      'members:read',
    ]);
    const invitation = { email: newEmail(), role: 'viewer' };
    expect((await as(member.email, 'POST', `${MEMBERS}/invite`, invitation)).body.reason).toBe(
      'missing_permission',
    );
    for (const path of [MEMBERS, `${MEMBERS}/invitations`]) {
      expect((await workspace.call('GET', path)).body.reason).toBe('control_plane_only');
      expect((await app.request('GET', path)).body.code).toBe('missing_token');
      const badToken = { authorization: 'Bearer nonsense' };
      expect((await app.request('GET', path, undefined, badToken)).body.code).toBe('invalid_token');
    }
    const wrongKey = { 'x-workspace-id': workspace.id, 'x-api-key': 'nonsense' };
    expect((await app.request('GET', `${MEMBERS}/invitations`, undefined, wrongKey)).body.code).toBe(
      'invalid_api_key',
    );
  });
});

describe('the limit of the plan', () => {
  test('counts active and pending members, and lets through exactly so many at once', async () => {
    workspace = await app.workspace({ plan: 'growth' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        byOwner('POST', `${MEMBERS}/invite`, { email: newEmail(), role: 'viewer' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(9);
    for (const { status, body } of answers.filter(({ status: s }) => s !== 201))
      expect([status, body]).toEqual([
        403,
        {
          code: 'plan_limit_reached',
          detail: expect.any(String),
          limit_type: 'members',
          current: 10,
          maximum: 10,
          plan: 'growth',
          request_id: expect.any(String),
        },
      ]);
    expect((await team()).total).toBe(10);
    // A withdrawn invitation frees a place under the limit; a reactivated member takes it.
    const [, first, second] = (await team()).members;
    expect((await accept(first.email, first.id)).status).toBe(200);
    await byOwner('DELETE', `${MEMBERS}/${first.id}`);
    await invite();
    expect((await byOwner('POST', `${MEMBERS}/${first.id}/activate`)).body.code).toBe('plan_limit_reached');
    await byOwner('DELETE', `${MEMBERS}/${second.id}`);
    expect((await byOwner('POST', `${MEMBERS}/${first.id}/activate`)).status).toBe(200);
  });

  test('one email is invited once, however many ask at once', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        byOwner('POST', `${MEMBERS}/invite`, { email: i % 2 ? email : email.toUpperCase(), role: 'viewer' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
  });
});

describe('the owner', () => {
  const TRANSFER =
    'mutation ($memberId: ID!) { transferOwnership(memberId: $memberId) { id role isActive } }';

  test('hands the workspace over, and is an admin from then on', async () => {
    const heir = await joined('viewer');
    const former = await owner();
    const { body } = await workspace.graphql(TRANSFER, { memberId: heir.id });
    expect(body).toEqual({ data: { transferOwnership: { id: heir.id, role: 'owner', isActive: true } } });
    const roles = (await team()).members.map(({ id, role }: any) => [id, role]);
    expect(roles).toEqual([
      [former.id, 'admin'],
      [heir.id, 'owner'],
    ]);
    const again = await workspace.graphql(TRANSFER, { memberId: former.id });
    expect(again.body.errors[0].extensions.code).toBe('insufficient_role');
    expect((await auditEntries())[0]).toMatchObject({
      action: 'ownership_transferred',
      before: { owner: former.id },
      after: { owner: heir.id },
    });
  });

  test('is one, also when it is handed to many at once', async () => {
    const heirs = [await joined(), await joined(), await joined(), await joined()];
    await Promise.all(heirs.map(({ id }) => workspace.graphql(TRANSFER, { memberId: id })));
    const owners = (await team()).members.filter(({ role }: any) => role === 'owner');
    expect(owners).toHaveLength(1);
    expect(heirs.map(({ id }) => id)).toContain(owners[0].id);
  });

  test('is not handed to oneself, nor to who is not active', async () => {
    const code = async (memberId: string): Promise<unknown> =>
      (await workspace.graphql(TRANSFER, { memberId })).body.errors[0].extensions.code;
    expect(await code((await owner()).id)).toBe('member_protected');
    expect(await code((await invite()).id)).toBe('member_pending');
    expect(await code('nonsense')).toBe('member_not_found');
  });

  test('the database itself keeps one and one alone', async () => {
    const member = await joined();
    await expect(admin.query(`UPDATE members SET role = 'owner' WHERE id = $1`, [member.id])).rejects.toThrow(
      'members_owner',
    );
    const { id } = await owner();
    for (const change of [
      `UPDATE members SET role = 'admin' WHERE id = $1`,
      'UPDATE members SET is_active = false WHERE id = $1',
      'DELETE FROM members WHERE id = $1',
    ])
      await expect(admin.query(change, [id])).rejects.toThrow('would have no owner');
  });
});

test.each([
  ['was deactivated', 'is_active = false'],
  ['became a viewer', `role = 'viewer'`],
])('an admin who %s while waiting for other changes of the team changes nobody', async (_, change) => {
  const author = await joined('admin');
  const member = await joined('viewer');
  let isAnswered = false;
  let answer: Promise<Answer> | undefined;
  await admin.query('BEGIN');
  try {
    await admin.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`members ${workspace.id}`]);
    answer = as(author.email, 'PUT', `${MEMBERS}/${member.id}/role`, { role: 'operations' }).finally(
      () => (isAnswered = true),
    );
    await until('the change waits for the team', async () => {
      const { rows } = await admin.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return rows.length > 0 || isAnswered;
    });
    await admin.query(`UPDATE members SET ${change} WHERE id = $1`, [author.id]);
  } finally {
    await admin.query('COMMIT');
  }
  const refused = await answer;
  expect([refused?.status, refused?.body.required_permission]).toEqual([403, 'members:write']);
  expect((await team()).members.find(({ id }: any) => id === member.id).role).toBe('viewer');
});

test('a person of two emails is one member of a workspace', async () => {
  const member = await joined();
  // The member's email has changed since; the identity linked to the member is invited under the previous one.
  await admin.query('UPDATE members SET email = $2, email_key = $2 WHERE id = $1', [member.id, newEmail()]);
  const invited = await invite(member.email);
  expect((await accept(member.email, invited.id)).status).toBe(409);
});

test('a suspended workspace changes nobody', async () => {
  const member = await joined();
  await admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [workspace.id]);
  await app.untilChangesHandled();
  const answers = [
    await byOwner('POST', `${MEMBERS}/invite`, { email: newEmail(), role: 'viewer' }),
    await byOwner('PUT', `${MEMBERS}/${member.id}/role`, { role: 'viewer' }),
    await byOwner('DELETE', `${MEMBERS}/${member.id}`),
    await byOwner('POST', `${MEMBERS}/${member.id}/activate`),
  ];
  expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 'workspace_suspended'));
  expect((await team()).total).toBe(2);
});
