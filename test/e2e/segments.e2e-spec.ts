/** Segments over GraphQL and REST: section 4.10, who is in them and since when, and gate R17. */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { until } from '../support/until.js';

let app: TestApp;
let workspace: TestWorkspace;
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
beforeEach(async () => {
  workspace = await app.workspace();
});

const UNKNOWN_ID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface';
const PRO = { field: 'properties.plan', operator: 'equals', value: 'pro' };
const PAID = { event: 'order_placed', operator: 'has_done', within_days: 7 };

const SEGMENT = `id name description match conditions createdBy memberCount refreshedAt refreshError`;
const CREATE = `mutation ($input: CreateSegmentInput!) { createSegment(input: $input) { ${SEGMENT} } }`;
const UPDATE = `mutation ($id: ID!, $input: UpdateSegmentInput!) { updateSegment(id: $id, input: $input) { ${SEGMENT} } }`;
const DELETE = `mutation ($id: ID!) { deleteSegment(id: $id) }`;
const GET = `query ($id: ID!) { segment(id: $id) { ${SEGMENT} members { edges { enteredAt node { externalId } } } } }`;
const PREVIEW = `query ($conditions: JSON!, $match: String!, $first: Int!) {
  previewSegment(conditions: $conditions, match: $match, first: $first) { count sample { externalId } } }`;

/** The answer's data, or its first error's code, status and message. */
function resultOf({ body }: Answer): any {
  const [error] = body.errors ?? [];
  return error ? { message: error.message, ...error.extensions } : Object.values(body.data)[0];
}
const ask = async (query: string, variables: object): Promise<any> =>
  resultOf(await workspace.graphql(query, variables));
const create = (name: string, conditions: unknown, more: object = {}): Promise<any> =>
  ask(CREATE, { input: { name, conditions, ...more } });
const evaluate = (id: string, headers: Record<string, string> = {}): Promise<Answer> =>
  workspace.call('POST', `/v1/segments/${id}/evaluate`, undefined, headers);
async function contact(externalId: string, fields: object = {}, key = workspace.key): Promise<string> {
  const answer = await workspace.call(
    'POST',
    '/v1/contacts',
    { external_id: externalId, ...fields },
    { 'x-api-key': key },
  );
  expect(answer.status).toBeLessThan(300);
  return answer.body.id as string;
}
/** Current and former members of the segment evaluated so far, in an environment; true for current members. */
async function members(id: string, environment = 'live'): Promise<Record<string, boolean>> {
  const { rows } = await admin.query<{ external_id: string; left_at: Date | null }>(
    `SELECT c.external_id, m.left_at FROM segment_members m JOIN contacts c ON c.workspace_id = m.workspace_id AND c.id = m.contact_id
     WHERE m.segment_id = $1 AND m.environment = $2 ORDER BY 1`,
    [id, environment],
  );
  return Object.fromEntries(rows.map((row) => [row.external_id, row.left_at === null]));
}
const untilMembers = (id: string, wanted: Record<string, boolean>): Promise<void> =>
  until(
    `the members are ${JSON.stringify(wanted)}`,
    async () => JSON.stringify(await members(id)) === JSON.stringify(wanted),
  );
const untilRefreshed = (id: string): Promise<void> =>
  until('the segment is refreshed', async () => (await ask(GET, { id })).refreshedAt !== null);

describe('a segment', () => {
  test('is made, read, listed, changed and deleted', async () => {
    const made = await create('Pro users', [PRO], { description: 'Who pays', match: 'any' });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Pro users',
      description: 'Who pays',
      match: 'any',
      conditions: [PRO],
      createdBy: expect.any(String),
      memberCount: null,
      refreshedAt: null,
      refreshError: null,
    });
    await untilRefreshed(made.id);
    expect(await ask(GET, { id: made.id.toUpperCase() })).toMatchObject({
      name: 'Pro users',
      memberCount: 0,
      refreshedAt: app.clock.now().toISOString(),
      members: { edges: [] },
    });
    await create('All', []);
    const list = `query ($search: String) { segments(search: $search) { totalCount edges { node { name match } } } }`;
    expect(await ask(list, {})).toEqual({
      totalCount: 2,
      edges: [{ node: { name: 'All', match: 'all' } }, { node: { name: 'Pro users', match: 'any' } }],
    });
    expect(await ask(list, { search: 'PRO' })).toMatchObject({
      totalCount: 1,
      edges: [{ node: { name: 'Pro users' } }],
    });
    expect(await ask(list, { search: 'Pro\0' })).toEqual({ totalCount: 0, edges: [] });
    const changed = await ask(UPDATE, { id: made.id, input: { name: 'Payers', match: 'all' } });
    expect(changed).toMatchObject({
      name: 'Payers',
      description: 'Who pays',
      match: 'all',
      conditions: [PRO],
    });
    expect(await ask(DELETE, { id: made.id })).toBe(true);
    expect(await ask(GET, { id: made.id })).toMatchObject({ code: 'segment_not_found', status: 404 });
    expect(await ask(DELETE, { id: made.id })).toMatchObject({ code: 'segment_not_found' });
  });

  test('has a name of its own', async () => {
    await create('One', []);
    const two = await create('Two', []);
    expect(await create('One', [])).toMatchObject({ code: 'conflict', status: 409 });
    expect(await ask(UPDATE, { id: two.id, input: { name: 'One' } })).toMatchObject({ code: 'conflict' });
    expect(await ask(UPDATE, { id: two.id, input: { name: 'Two' } })).toMatchObject({ name: 'Two' });
  });

  test.each([
    [
      'an operator that does not exist',
      [{ ...PRO, operator: 'sounds_like' }],
      'invalid_filter_operator',
      400,
    ],
    ['a field that does not exist', [{ ...PRO, field: 'shoe_size' }], 'invalid_field', 422],
    ['a segment that does not exist', [{ segment_id: UNKNOWN_ID }], 'invalid_field', 422],
    ['conditions that are none', 'all', 'invalid_field', 422],
  ])('with %s is refused', async (_, conditions, code, status) => {
    expect(await create('Bad', conditions)).toMatchObject({ code, status });
    expect(await ask(PREVIEW, { conditions, match: 'all', first: 5 })).toMatchObject({ code, status });
  });

  test('with a bad operator is refused by its place', async () =>
    expect(await create('Bad', [PRO, { ...PRO, operator: 'like' }])).toMatchObject({
      operator: 'like',
      field: 'conditions[1].operator',
    }));

  test('leads to no circle, and is not deleted while another one names it', async () => {
    const base = await create('Base', [PRO]);
    const next = await create('Next', [{ segment_id: base.id }]);
    const last = await create('Last', [{ segment_id: next.id, operator: 'not_in' }]);
    const circle = await ask(UPDATE, {
      id: base.id,
      input: { conditions: [{ segment_id: last.id }] },
    });
    expect(circle).toMatchObject({ code: 'invalid_field', status: 422 });
    expect(circle.message).toContain('"Base" → "Last" → "Next" → "Base"');
    expect(
      await ask(UPDATE, { id: base.id, input: { conditions: [{ segment_id: base.id }] } }),
    ).toMatchObject({ code: 'invalid_field' });
    const kept = await ask(DELETE, { id: base.id });
    expect(kept).toMatchObject({ code: 'conflict', status: 409 });
    expect(kept.message).toContain('"Next"');
    expect(await ask(DELETE, { id: last.id })).toBe(true);
    expect(await ask(DELETE, { id: next.id })).toBe(true);
    expect(await ask(DELETE, { id: base.id })).toBe(true);
  });
});

describe('evaluate', () => {
  test('counts, samples the newest hundred, and says when', async () => {
    const segment = await create('Pro', [PRO]);
    const contacts = Array.from({ length: 120 }, (_, n) => ({
      external_id: `p${n}`,
      properties: { plan: n < 110 ? 'Pro' : 'free' },
    }));
    await workspace.call('POST', '/v1/contacts/bulk', { contacts });
    const { status, body } = await evaluate(segment.id);
    expect(status).toBe(200);
    expect(body).toEqual({
      segment_id: segment.id,
      count: 110,
      sample: expect.any(Array),
      evaluated_at: app.clock.now().toISOString(),
    });
    expect(body.sample).toHaveLength(100);
    expect(body.sample).toEqual([...body.sample].sort().reverse());
    const newest = await workspace.call('GET', `/v1/contacts/${body.sample[0]}`);
    expect(newest.body.properties).toEqual({ plan: 'Pro' });
    expect(await ask(PREVIEW, { conditions: [PRO], match: 'all', first: 3 })).toEqual({
      count: 110,
      sample: [expect.anything(), expect.anything(), expect.anything()],
    });
  });

  test('says which property is compared with a number and is text for everybody', async () => {
    const fields = [{ ltv: '1500', seats: '7' }, { ltv: '20', seats: 7 }, { ltv: null }, {}];
    for (const [at, properties] of fields.entries()) await contact(`n${at}`, { properties });
    const query = `query ($conditions: JSON!) { previewSegment(conditions: $conditions) { count warnings } }`;
    const over = (name: string): object => ({
      field: `properties.${name}`,
      operator: 'greater_than',
      value: 5,
    });
    const asked = async (...conditions: object[]): Promise<any> => ask(query, { conditions });
    expect(await asked(over('ltv'), { match: 'any', conditions: [over('ltv'), over('none')] })).toEqual({
      count: 0,
      warnings: [expect.stringMatching(/^properties\.ltv is compared with a number/)],
    });
    expect(await asked({ field: 'properties.ltv', operator: 'equals', value: 20 })).toMatchObject({
      warnings: [expect.any(String)],
    });
    expect(await asked(over('seats'))).toEqual({ count: 1, warnings: [] });
    expect(await asked({ field: 'properties.ltv', operator: 'equals', value: '20' })).toEqual({
      count: 1,
      warnings: [],
    });
  });

  test('does not depend on what was looked up before, of other segments either', async () => {
    const pro = await create('Pro', [PRO]);
    const others = await create('Others', [{ segment_id: pro.id, operator: 'not_in' }]);
    const either = await create('Either', [{ segment_id: pro.id }, { event: 'seen', at_least: 2 }], {
      match: 'any',
    });
    await contact('a', { properties: { plan: 'pro' } });
    await contact('b');
    for (const n of [1, 2])
      await workspace.call('POST', '/v1/events', { external_id: 'b', event_name: 'seen', attributes: { n } });
    const counts = await Promise.all(
      [pro, others, either].map(async ({ id }) => (await evaluate(id)).body.count as number),
    );
    expect(counts).toEqual([1, 1, 2]);
  });

  test('leaves deleted contacts out', async () => {
    const all = await create('All', []);
    await contact('a');
    await contact('b');
    await workspace.call('DELETE', '/v1/contacts/a');
    expect((await evaluate(all.id)).body.count).toBe(1);
  });

  test('of what is no segment, or one of another workspace, is 404', async () => {
    const theirs = await create('Theirs', []);
    workspace = await app.workspace();
    for (const id of [UNKNOWN_ID, 'none', theirs.id]) {
      expect(await evaluate(id)).toMatchObject({ status: 404, body: { code: 'segment_not_found' } });
      expect(await ask(GET, { id })).toMatchObject({ code: 'segment_not_found' });
    }
  });

  test('of a filter that can no longer be read says so', async () => {
    const segment = await create('Old', [PRO]);
    await admin.query('UPDATE segments SET conditions = $2 WHERE id = $1', [
      segment.id,
      JSON.stringify([{ ...PRO, operator: 'like' }]),
    ]);
    const naming = await evaluate(segment.id);
    expect(naming).toMatchObject({ status: 400, body: { code: 'invalid_filter_operator' } });
    expect(naming.body.detail).toContain('"Old"');
    app.clock.wind(2 * HOUR);
    await until(
      'the refresh notes it',
      async () => (await ask(GET, { id: segment.id })).refreshError?.includes('"Old"') === true,
    );
    expect(await ask(UPDATE, { id: segment.id, input: { conditions: [PRO] } })).toMatchObject({
      name: 'Old',
    });
    await until('it is mended', async () => (await ask(GET, { id: segment.id })).refreshError === null);
  });

  test('has a limit of its own: 30 a minute', async () => {
    const all = await create('All', []);
    const answers = [];
    for (let n = 0; n < 31; n++) answers.push((await evaluate(all.id)).status);
    expect(answers).toEqual([...Array<number>(30).fill(200), 429]);
  });
});

describe('members', () => {
  test('enter and leave as contacts are made, changed, deleted and come back', async () => {
    const segment = await create('Pro', [PRO]);
    await untilRefreshed(segment.id);
    await contact('a', { properties: { plan: 'pro' } });
    await contact('b', { properties: { plan: 'free' } });
    await untilMembers(segment.id, { a: true });
    const entered = app.clock.now().toISOString();
    app.clock.wind(1_000);
    await workspace.call('PATCH', '/v1/contacts/b', { properties: { plan: 'pro' } });
    await untilMembers(segment.id, { a: true, b: true });
    expect(await ask(GET, { id: segment.id })).toMatchObject({
      memberCount: 2,
      members: {
        edges: [{ node: { externalId: 'b' } }, { enteredAt: entered, node: { externalId: 'a' } }],
      },
    });
    const contacts = `{ contacts { edges { node { externalId segments { edges { enteredAt node { id name } } } } } } }`;
    expect(JSON.stringify((await workspace.graphql(contacts)).body)).toContain(
      JSON.stringify({
        externalId: 'a',
        segments: { edges: [{ enteredAt: entered, node: { id: segment.id, name: 'Pro' } }] },
      }),
    );
    await workspace.call('DELETE', '/v1/contacts/a');
    await untilMembers(segment.id, { a: false, b: true });
    expect((await ask(GET, { id: segment.id })).memberCount).toBe(1);
    await contact('a', { first_name: 'Back' });
    await untilMembers(segment.id, { a: true, b: true });
    expect((await ask(GET, { id: segment.id })).memberCount).toBe(2);
  });

  test('enter after an event, and leave as time passes', async () => {
    const segment = await create('Buyers', [PAID]);
    await contact('a');
    await untilRefreshed(segment.id);
    await workspace.call('POST', '/v1/events', { external_id: 'a', event_name: 'order_placed' });
    await workspace.call('POST', '/v1/events', { external_id: 'c', event_name: 'seen' });
    await untilMembers(segment.id, { a: true });
    app.clock.wind(7 * DAY - HOUR);
    await until(
      'it was looked at again',
      async () => (await ask(GET, { id: segment.id })).refreshedAt === app.clock.now().toISOString(),
    );
    expect(await members(segment.id)).toEqual({ a: true });
    app.clock.wind(2 * HOUR);
    await untilMembers(segment.id, { a: false });
    expect(await ask(GET, { id: segment.id })).toMatchObject({ memberCount: 0, members: { edges: [] } });
  });

  test('of those who did more than fits into memory are decided all the same', async () => {
    const segment = await create('Fans', [{ event: 'seen', at_least: 240 }]);
    await untilRefreshed(segment.id);
    for (let n = 0; n < 5; n++) {
      const events = Array.from({ length: 50 }, () => ({ external_id: 'fan', event_name: 'seen' }));
      await workspace.call('POST', '/v1/events/batch', { events });
    }
    await untilMembers(segment.id, { fan: true });
  });

  test('change with the filter, and with one that it leads to', async () => {
    await contact('a', { properties: { plan: 'pro' } });
    await contact('b', { properties: { plan: 'free' } });
    const base = await create('Base', [PRO]);
    const contrary = await create('Contrary', [{ segment_id: base.id, operator: 'not_in' }]);
    await untilMembers(contrary.id, { b: true });
    await ask(UPDATE, { id: base.id, input: { conditions: [{ ...PRO, value: 'free' }] } });
    await untilMembers(base.id, { a: false, b: true });
    await untilMembers(contrary.id, { a: true, b: false });
  });

  test('are gone with the segment', async () => {
    await contact('a');
    const all = await create('All', []);
    await untilMembers(all.id, { a: true });
    await ask(DELETE, { id: all.id });
    await untilMembers(all.id, {});
    // Each environment has a separate evaluation, which completes independently.
    await until('nothing is left to look up', async () => {
      const sql = 'SELECT FROM segment_refreshes WHERE segment_id = $1';
      return (await admin.query(sql, [all.id])).rowCount === 0;
    });
  });

  test('of one environment are not those of the other (R17)', async () => {
    const segment = await create('Buyers', [PRO, PAID], { match: 'any' });
    const asTest = { 'x-api-key': workspace.testKey };
    await contact('live-pro', { properties: { plan: 'pro' } });
    await contact('test-pro', { properties: { plan: 'pro' } }, workspace.testKey);
    await contact('both');
    await contact('both', {}, workspace.testKey);
    await workspace.call('POST', '/v1/events', { external_id: 'both', event_name: 'order_placed' }, asTest);
    await untilMembers(segment.id, { 'live-pro': true });
    await until('the test environment has its own', async () => {
      const found = await members(segment.id, 'test');
      return JSON.stringify(found) === JSON.stringify({ both: true, 'test-pro': true });
    });
    expect((await evaluate(segment.id)).body.count).toBe(1);
    expect((await evaluate(segment.id, asTest)).body.count).toBe(2);
    expect(await ask(GET, { id: segment.id })).toMatchObject({
      memberCount: 1,
      members: { edges: [{ node: { externalId: 'live-pro' } }] },
    });
  });
});

describe('who may', () => {
  test('see and change segments, and whom they find', async () => {
    const roles = ['admin', 'developer', 'marketing', 'operations', 'viewer'];
    workspace = await app.workspace({
      members: [
        { email: `boss-of-segments@example.com`, role: 'owner' },
        ...roles.map((role) => ({ email: `${role}-of-segments@example.com`, role })),
      ],
    });
    const may: Record<string, string[]> = {};
    for (const role of roles) {
      const headers = {
        authorization: `Bearer ${await app.token(`${role}-of-segments@example.com`)}`,
        'x-workspace-id': workspace.id,
      };
      const query = async (text: string, variables: object): Promise<boolean> =>
        (await app.request('POST', '/graphql', { query: text, variables }, headers)).body.errors ===
        undefined;
      may[role] = [
        ...((await query('{ segments { totalCount } }', {})) ? ['read'] : []),
        ...((await query('{ previewSegment(conditions: []) { sample { id } } }', {})) ? ['people'] : []),
        ...((await query(CREATE, { input: { name: role, conditions: [] } })) ? ['write'] : []),
      ];
    }
    expect(may).toEqual({
      admin: ['read', 'people', 'write'],
      developer: ['read', 'people', 'write'],
      marketing: ['read', 'write'],
      operations: [],
      viewer: [],
    });
  });

  test('evaluate: keys that reach data', async () => {
    // The test helper knows the first two keys.
    workspace = await app.workspace({
      api_keys: [
        { name: 'data', scope: 'data' },
        { name: 'reporting', scope: 'reporting' },
      ],
      segments: [{ name: 'Seeded', conditions: [PRO] }],
    });
    const { rows } = await admin.query<{ id: string }>('SELECT id FROM segments WHERE workspace_id = $1', [
      workspace.id,
    ]);
    const id = rows[0]?.id ?? '';
    expect((await evaluate(id)).status).toBe(200);
    expect(await evaluate(id, { 'x-api-key': workspace.testKey })).toMatchObject({
      status: 403,
      body: { reason: 'insufficient_scope' },
    });
    await untilRefreshed(id);
  });
});

test('whoever may not read contacts looks for no parts of addresses, neither by counts nor by members', async () => {
  const roles = ['marketing', 'developer'];
  const team = await app.workspace({ members: roles.map((role) => ({ email: `${role}@parts.test`, role })) });
  const askAs = async (role: string, query: string, variables: object): Promise<any> =>
    resultOf(
      await app.request(
        'POST',
        '/graphql',
        { query, variables },
        {
          authorization: `Bearer ${await app.token(`${role}@parts.test`)}`,
          'x-workspace-id': team.id,
        },
      ),
    );
  const part = [{ field: 'email', operator: 'starts_with', value: 'ada@' }];
  const domain = [{ field: 'email', operator: 'ends_with', value: '@example.com' }];
  const preview = `query ($conditions: JSON!) { previewSegment(conditions: $conditions) { count } }`;
  const create = (role: string, name: string, conditions: object[]): Promise<any> =>
    askAs(role, CREATE, { input: { name, conditions } });
  const refusal = { code: 'missing_permission', required_permission: 'contacts:read' };

  const mailing = await create('marketing', 'Example', domain);
  expect(mailing.name).toBe('Example');
  expect(await askAs('marketing', preview, { conditions: domain })).toEqual({ count: 0 });
  expect(await askAs('marketing', preview, { conditions: part })).toMatchObject(refusal);
  expect(await create('marketing', 'Ada', part)).toMatchObject(refusal);
  const update = { id: mailing.id, input: { conditions: part } };
  expect(await askAs('marketing', UPDATE, update)).toMatchObject(refusal);

  expect(await askAs('developer', preview, { conditions: part })).toEqual({ count: 0 });
  expect((await askAs('developer', UPDATE, update)).conditions).toEqual(part);
  // Conditions set by another member remain, and the segment can be renamed.
  expect((await askAs('marketing', UPDATE, { id: mailing.id, input: { name: 'Adas' } })).conditions).toEqual(
    part,
  );
});
