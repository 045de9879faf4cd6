/** A contact's timeline and the names of events over GraphQL, with real trips and messages: gate R17. */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;
const MINUTE = 60_000;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const ACTIVITY = `query ($id: ID!, $first: Int, $after: String) {
  contactActivity(contactId: $id, first: $first, after: $after) {
    edges { cursor node { kind at recordId event { eventName attributes }
      email { subject status templateSlug suppressedReason errorCode sentAt }
      trip { flowId flowName status endedReason } } }
    pageInfo { hasNextPage endCursor } shownKinds } }`;

const NAMES = '{ eventNames { edges { node } } }';
const namesOf = (data: any): string[] => data.eventNames.edges.map(({ node }: { node: string }) => node);

async function flow(workspace: TestWorkspace, contentType = 'transactional'): Promise<string> {
  const template = { name: 'Hello', slug: 'hello', subject: 'Hello {the user\'s First Name, or "you"}' };
  await workspace.call('POST', '/v1/templates', { ...template, body_html: '<p>Hello</p>' });
  const { body } = await workspace.call('POST', '/v1/flows', {
    name: 'Onboarding',
    trigger_event: 'signed_up',
    content_type: contentType,
    steps: [{ type: 'send_email', template_slug: 'hello' }],
    settings: { reentry_policy: 'always' },
  });
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  return body.id as string;
}

/** Signs a contact up and waits for the end of its trip. */
async function signUp(workspace: TestWorkspace, external: string, test = false): Promise<void> {
  const headers = test ? { 'x-api-key': workspace.testKey } : {};
  const event = {
    external_id: external,
    event_name: 'signed_up',
    attributes: { test },
    contact: { email: `${external}@example.com`, first_name: 'Ada' },
  };
  const before = await count(workspace, 'trips', 'completed_at IS NOT NULL');
  expect((await workspace.call('POST', '/v1/events', event, headers)).status).toBe(202);
  await until(
    'its trip is over',
    async () => (await count(workspace, 'trips', 'completed_at IS NOT NULL')) === before + 1,
  );
}

async function count(workspace: TestWorkspace, table: string, where: string): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table} WHERE workspace_id = $1 AND ${where}`,
    [workspace.id],
  );
  return rows[0]?.n ?? 0;
}

async function processed(workspace: TestWorkspace): Promise<void> {
  await until(
    'its events are processed',
    async () => (await count(workspace, 'events', 'processed_at IS NULL')) === 0,
  );
}

/** Sends a query as the member with this token, in an environment. */
function ask(
  workspace: TestWorkspace,
  query: string,
  variables: object = {},
  { token = workspace.ownerToken, environment = 'live' } = {},
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspace.id,
    'x-environment': environment,
  };
  return app.request('POST', '/graphql', { query, variables }, headers);
}

async function activity(workspace: TestWorkspace, variables: object, who?: object): Promise<any> {
  const { body } = await ask(workspace, ACTIVITY, variables, who);
  expect(body.errors).toBeUndefined();
  return body.data.contactActivity;
}

const kindsOf = (connection: any): string[] => connection.edges.map(({ node }: any) => node.kind);

describe('the time line', () => {
  test('tells of an event, the trip that it started, its message, and the end, newest first', async () => {
    const workspace = await app.workspace();
    const flowId = await flow(workspace);
    await signUp(workspace, 'ada');
    const at = app.clock.now().toISOString();
    const line = await activity(workspace, { id: 'ada' });
    const trip = { flowId, flowName: 'Onboarding', status: 'completed', endedReason: 'finished' };
    const none = { at, event: null, email: null, trip: null, recordId: expect.any(String) };
    expect(line.edges.map(({ node }: any) => node)).toEqual([
      { ...none, kind: 'trip_ended', trip },
      {
        ...none,
        kind: 'email',
        email: {
          subject: 'Hello Ada',
          status: 'sent',
          templateSlug: 'hello',
          suppressedReason: null,
          errorCode: null,
          sentAt: at,
        },
      },
      { ...none, kind: 'trip_started', trip },
      { ...none, kind: 'event', event: { eventName: 'signed_up', attributes: { test: false } } },
    ]);
    expect(line.pageInfo).toEqual({ hasNextPage: false, endCursor: line.edges[3].cursor });
    expect(app.sink.to('ada@example.com')).toHaveLength(1);
  });

  test('says why a message was held back; knows a contact by its id too, and a deleted one', async () => {
    const workspace = await app.workspace();
    await flow(workspace);
    const contact = { external_id: 'gone', email: 'gone@example.com' };
    const { body } = await workspace.call('POST', '/v1/contacts', contact);
    await workspace.call('POST', '/v1/events', {
      external_id: 'gone',
      event_name: 'signed_up',
      contact: { email: null },
    });
    await until(
      'it is held back',
      async () => (await count(workspace, 'email_logs', `status = 'suppressed'`)) === 1,
    );
    expect((await workspace.call('DELETE', '/v1/contacts/gone')).status).toBe(204);
    const line = await activity(workspace, { id: body.id });
    const [email] = line.edges.map(({ node }: any) => node.email).filter(Boolean);
    expect(email).toMatchObject({ status: 'suppressed', suppressedReason: 'no_email_address', sentAt: null });
  });

  test('reads the same in pages of any length, with many entries at one moment and new ones coming in', async () => {
    const workspace = await app.workspace();
    await flow(workspace);
    const minutes = (n: number): string => new Date(app.clock.now().getTime() - n * MINUTE).toISOString();
    const events = Array.from({ length: 50 }, (_, n) => ({
      external_id: 'busy',
      event_name: n % 9 === 0 ? 'signed_up' : 'seen',
      attributes: { n },
      occurred_at: minutes(n % 3),
    }));
    expect((await workspace.call('POST', '/v1/events/batch', { events })).body.accepted).toBe(50);
    await until(
      'its trips are over',
      async () => (await count(workspace, 'trips', 'completed_at IS NOT NULL')) === 6,
    );
    const whole = (await activity(workspace, { id: 'busy', first: 100 })).edges;
    expect(whole).toHaveLength(50 + 3 * 6);
    for (const first of [1, 7, 34, 68]) {
      const read: unknown[] = [];
      for (let after: string | null = null, more = true; more;) {
        const { edges, pageInfo } = await activity(workspace, { id: 'busy', first, after });
        read.push(...edges);
        [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
        // Entries added while a client pages do not shift the remaining pages.
        if (read.length === 7 && first === 7) {
          app.clock.wind(MINUTE);
          await workspace.call('POST', '/v1/events', { external_id: 'busy', event_name: 'late' });
        }
      }
      expect([first, read.slice(first > 7 ? 1 : 0)]).toEqual([first, whole]);
    }
  });

  test('is of one contact, one environment and one workspace', async () => {
    const [workspace, other] = [await app.workspace(), await app.workspace()];
    await flow(workspace);
    await signUp(workspace, 'ada');
    await signUp(workspace, 'ada', true);
    await signUp(workspace, 'bob', true);
    const environmentOf = async (environment: string): Promise<unknown> =>
      (await activity(workspace, { id: 'ada' }, { environment })).edges
        .map(({ node }: any) => node.event?.attributes.test)
        .filter((test: unknown) => test !== undefined);
    expect([await environmentOf('live'), await environmentOf('test')]).toEqual([[false], [true]]);
    for (const environment of ['live', 'test'])
      expect(kindsOf(await activity(workspace, { id: 'ada' }, { environment }))).toHaveLength(4);
    expect(await activity(workspace, { id: 'bob' })).toBeNull();
    const { rows } = await admin.query<{ id: string; environment: string }>(
      'SELECT id, environment FROM contacts WHERE workspace_id = $1',
      [workspace.id],
    );
    for (const { id, environment } of rows) {
      const opposite = environment === 'live' ? 'test' : 'live';
      expect(await activity(workspace, { id }, { environment: opposite })).toBeNull();
      expect(await activity(other, { id }, { token: other.ownerToken, environment })).toBeNull();
    }
  });

  test.each(['nobody', 'nobody\0', '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface', ''])(
    'of %j is null',
    async (id) => {
      expect(await activity(await app.workspace(), { id })).toBeNull();
    },
  );

  test.each([
    [{ first: 0 }, 'first'],
    [{ first: 101 }, 'first'],
    [{ after: 'x' }, 'after'],
  ])('with %j is refused', async (variables, field) => {
    const workspace = await app.workspace();
    const { body } = await ask(workspace, ACTIVITY, { id: 'ada', ...variables });
    expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_field', errors: [{ field }] });
  });
});

test('the names of events are those that the environment has seen, each once and sorted', async () => {
  const workspace = await app.workspace();
  for (const [external_id, event_name] of [
    ['a', 'viewed'],
    ['b', 'viewed'],
    ['a', 'paid'],
    ['c', 'added'],
    ['a', 'viewed'],
  ])
    await workspace.call('POST', '/v1/events', { external_id, event_name });
  const test = { 'x-api-key': workspace.testKey };
  await workspace.call('POST', '/v1/events', { external_id: 'a', event_name: 'tried' }, test);
  await processed(workspace);
  const names = async (environment: string): Promise<unknown> =>
    namesOf((await ask(workspace, NAMES, {}, { environment })).body.data);
  expect(await names('live')).toEqual(['added', 'paid', 'viewed']);
  expect(await names('test')).toEqual(['tried']);
  const other = await app.workspace();
  expect(namesOf((await ask(other, NAMES, {}, { token: other.ownerToken })).body.data)).toEqual([]);
});

test('each role sees what it sees elsewhere; keys see none of it', async () => {
  const members = ['owner', 'admin', 'developer', 'marketing', 'operations', 'viewer'].map((role) => ({
    email: `${role}@activity.test`,
    role,
  }));
  const workspace = await app.workspace({ members });
  await flow(workspace);
  await signUp(workspace, 'ada');
  const all = ['trip_ended', 'email', 'trip_started', 'event'];
  const seen: Record<string, unknown> = {};
  for (const { email, role } of members) {
    const who = { token: await app.token(email) };
    const { data, errors } = (await ask(workspace, ACTIVITY, { id: 'ada' }, who)).body;
    const names = (await ask(workspace, NAMES, {}, who)).body;
    seen[role] = [
      errors ? errors[0].extensions.required_permission : kindsOf(data.contactActivity),
      names.errors ? names.errors[0].extensions.required_permission : namesOf(names.data),
    ];
    if (!errors)
      expect(new Set(data.contactActivity.shownKinds)).toEqual(new Set(kindsOf(data.contactActivity)));
  }
  expect(seen).toEqual({
    owner: [all, ['signed_up']],
    admin: [all, ['signed_up']],
    developer: [['trip_ended', 'trip_started', 'event'], ['signed_up']],
    marketing: ['contacts:read', ['signed_up']],
    operations: [['email', 'event'], 'flows:read'],
    viewer: ['contacts:read', 'flows:read'],
  });
  for (const query of [ACTIVITY, NAMES]) {
    const { body } = await workspace.call('POST', '/graphql', { query, variables: { id: 'ada' } });
    expect(body.errors[0].extensions.code).toBe('control_plane_only');
  }
});

test('whose a trip is and what it sent needs what contacts and messages need, beside flows:read', async () => {
  const one = await app.workspace({
    members: [
      { email: 'owner-of-trips@example.com', role: 'owner' },
      { email: 'developer-of-trips@example.com', role: 'developer' },
      { email: 'marketing-of-trips@example.com', role: 'marketing' },
    ],
  });
  const flow = await one.call('POST', '/v1/flows', {
    name: 'Trips',
    trigger_event: 'began',
    content_type: 'transactional',
    steps: [{ type: 'wait', duration: '1d' }],
  });
  await one.call('POST', `/v1/flows/${flow.body.id}/activate`);
  await one.call('POST', '/v1/events', { external_id: 'private', event_name: 'began' });
  const asked = async (role: string, field: string): Promise<Answer['body']> => {
    const headers = {
      authorization: `Bearer ${await app.token(`${role}-of-trips@example.com`)}`,
      'x-workspace-id': one.id,
    };
    const query = `{ trips { totalCount edges { node { id ${field} } } } }`;
    return (await app.request('POST', '/graphql', { query }, headers)).body;
  };
  await until('the trip has begun', async () => (await asked('owner', '')).data.trips.totalCount === 1);
  const outcome = async (role: string, field: string): Promise<string> => {
    const { errors } = await asked(role, field);
    return errors ? (errors[0].extensions.required_permission as string) : 'shown';
  };
  const [contact, emails] = ['contact { externalId }', 'emailLogs { edges { node { status } } }'];
  for (const [role, ofContact, ofEmails] of [
    ['owner', 'shown', 'shown'],
    ['developer', 'shown', 'email_logs:read'],
    ['marketing', 'contacts:read', 'email_logs:read'],
  ] as const)
    expect([role, await outcome(role, contact), await outcome(role, emails)]).toEqual([
      role,
      ofContact,
      ofEmails,
    ]);
});
