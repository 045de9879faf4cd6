/** Lists of GraphQL: each is read page by page, returns every node once in a fixed order, and refuses invalid pages. */
import { SAMPLE } from '../../src/platform/graphql/playground-script.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

const COUNT = 7;

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
  const people = Array.from({ length: COUNT - 1 }, (_, i) => ({ email: `p${i}@lists.test`, role: 'viewer' }));
  workspace = await app.workspace({ members: [{ email: 'boss@lists.test', role: 'owner' }, ...people] });
  await seed();
});
afterAll(async () => {
  await app?.close();
});

const ask = async (query: string, variables: object = {}): Promise<any> => {
  const headers = {
    authorization: `Bearer ${await app.token('boss@lists.test')}`,
    'x-workspace-id': workspace.id,
  };
  return (await app.request('POST', '/graphql', { query, variables }, headers)).body;
};

async function seed(): Promise<void> {
  for (let i = 0; i < COUNT; i++) {
    // Two records share each timestamp, so that only the id orders them.
    if (i % 2 === 0) app.clock.wind(1_000);
    await workspace.call('POST', '/v1/templates', {
      name: `T${i}`,
      slug: `t${i}`,
      body_html: '<p>Hello</p>',
    });
    await ask(`mutation { createSegment(input: { name: "Everybody ${i}", conditions: [] }) { id } }`);
    await ask(`mutation { createApiKey(input: { name: "k${i}", scope: data, environment: live }) { key } }`);
    await ask(`mutation { createTemplateVersion(slug: "t0") { id } }`);
    const flow = await workspace.call('POST', '/v1/flows', {
      name: `F${i}`,
      trigger_event: 'began',
      content_type: 'transactional',
      steps: i === 0 ? Array(COUNT).fill({ type: 'send_email', template_slug: 't0' }) : [],
    });
    if (i === 0) await workspace.call('POST', `/v1/flows/${flow.body.id}/activate`);
  }
  for (let i = 0; i < COUNT; i++)
    await workspace.call('POST', '/v1/events', {
      external_id: `c${i}`,
      event_name: 'began',
      contact: { email: `c${i}@example.com` },
    });
  for (let i = 0; i < COUNT - 1; i++)
    await workspace.call('POST', '/v1/events', { external_id: 'c0', event_name: `seen_${i}` });
  await until(
    'all trips are over',
    async () =>
      (await ask('{ trips(first: 100, status: completed) { totalCount } }')).data.trips.totalCount === COUNT,
  );
  await until('all segments have their members', async () => {
    const { edges } = (await ask('{ segments { edges { node { memberCount } } } }')).data.segments;
    return edges.every(({ node }: any) => node.memberCount === COUNT);
  });
  await until(
    'all names are known',
    async () => (await ask('{ eventNames { edges { node } } }')).data.eventNames.edges.length === COUNT,
  );
}

/** Each list: its query, the value that identifies a node, and its number of nodes. */
const LISTS: readonly (readonly [
  list: string,
  around: (list: string) => string,
  node: string,
  count: number,
])[] = [
  ['contacts', (list) => list, '{ id }', COUNT],
  ['contacts(sortBy: email, sortOrder: asc)', (list) => list, '{ id }', COUNT],
  ['flows', (list) => list, '{ id }', COUNT],
  ['segments', (list) => list, '{ id }', COUNT],
  ['templates', (list) => list, '{ id }', COUNT],
  ['templateVersions(slug: "t0")', (list) => list, '{ id }', COUNT],
  ['trips', (list) => list, '{ id }', COUNT],
  ['emailLogs', (list) => list, '{ id }', COUNT * COUNT],
  ['members', (list) => list, '{ id }', COUNT],
  ['apiKeys', (list) => list, '{ id }', COUNT + 2],
  ['eventNames', (list) => list, '', COUNT],
  ['contactActivity(contactId: "c1")', (list) => list, '{ recordId kind }', COUNT + 3],
  ['members', (list) => `segments(first: 1) { edges { node { ${list} } } }`, '{ id }', COUNT],
  ['segments', (list) => `contacts(first: 1) { edges { node { ${list} } } }`, '{ id }', COUNT],
  ['emailLogs', (list) => `trips(first: 1) { edges { node { ${list} } } }`, '{ id }', COUNT],
];

/** Finds the connection anywhere in an answer. */
function connectionIn(data: Record<string, any>): any {
  const [list] = Object.values(data);
  const inner: Record<string, any> = list.edges[0]?.node ?? {};
  const [within] = Object.values(inner);
  return within?.pageInfo ? within : list;
}

describe.each(LISTS)('%s', (list, around, node, count) => {
  const asked = (page: string): string => {
    const call = list.includes('(') ? list.replace(')', `, ${page})`) : `${list}(${page})`;
    const fields = `edges { cursor node ${node} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;
    return `query { ${around(`${call} { ${fields} }`)} }`;
  };

  test('is walked by threes, and shows everything once, in one order', async () => {
    const whole = connectionIn((await ask(asked('first: 100'))).data);
    expect(whole.pageInfo.hasNextPage).toBe(false);
    const found: unknown[] = [];
    for (let after: string | undefined; ;) {
      const page = connectionIn(
        (await ask(asked(after === undefined ? 'first: 3' : `first: 3, after: "${after}"`))).data,
      );
      found.push(...page.edges);
      expect(page.pageInfo).toMatchObject({
        hasPreviousPage: after !== undefined,
        startCursor: page.edges[0].cursor,
        endCursor: page.edges.at(-1).cursor,
      });
      if (!page.pageInfo.hasNextPage) break;
      expect(page.edges).toHaveLength(3);
      after = page.pageInfo.endCursor as string;
    }
    expect(found).toEqual(whole.edges);
    expect(found).toHaveLength(count);
    expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(count);
  });

  test.each([
    'first: 0',
    'first: -1',
    'first: 101',
    'first: 3, after: ""',
    'first: 3, after: "x"',
    `first: 3, after: "${'A'.repeat(60)}"`,
  ])('%s is refused', async (page) => {
    const { errors } = await ask(asked(page));
    expect(errors[0].extensions).toMatchObject({
      code: 'invalid_field',
      status: 422,
      errors: [{ field: page.includes('after') ? 'after' : 'first' }],
    });
  });

  test('takes no cursor of another list', async () => {
    const other = list.startsWith('templates') ? 'flows' : 'templates';
    const { data } = await ask(`{ ${other}(first: 1) { pageInfo { endCursor } } }`);
    const { errors } = await ask(asked(`first: 3, after: "${data[other].pageInfo.endCursor}"`));
    expect(errors[0].extensions.code).toBe('invalid_field');
  });
});

test('ids that are no UUIDs: what they would name is not found, and what they would filter by is refused', async () => {
  for (const id of ['x', '', '1e300', '\0', '\ud800', '💥']) {
    const code = async (query: string): Promise<unknown> =>
      (await ask(`query ($id: ID!) { ${query} }`, { id })).errors?.[0].extensions.code ?? null;
    const change = async (query: string): Promise<unknown> =>
      (await ask(`mutation ($id: ID!) { ${query} }`, { id })).errors?.[0].extensions.code ?? null;
    expect({
      flow: await code('flow(id: $id) { id }'),
      segment: await code('segment(id: $id) { id }'),
      contact: await code('contact(id: $id) { id }'),
      emailLog: await code('emailLog(id: $id) { id }'),
      trips: await code('trips(flowId: $id) { totalCount }'),
      tripsOf: await code('trips(contactId: $id) { totalCount }'),
      logs: await code('emailLogs(filter: { flowId: $id }) { edges { cursor } }'),
      activity: await code('contactActivity(contactId: $id) { edges { cursor } }'),
      pause: await change('pauseFlow(id: $id) { id }'),
      delete: await change('deleteSegment(id: $id)'),
      revoke: await change('revokeApiKey(id: $id) { id }'),
      resend: await change('resendUnknown(id: $id) { id }'),
      erase: await change('eraseContact(id: $id) { id }'),
    }).toEqual({
      flow: 'flow_not_found',
      segment: 'segment_not_found',
      contact: null,
      emailLog: null,
      trips: 'invalid_field',
      tripsOf: 'invalid_field',
      logs: 'invalid_field',
      activity: null,
      pause: 'flow_not_found',
      delete: 'segment_not_found',
      revoke: 'not_found',
      resend: 'email_log_not_found',
      erase: 'contact_not_found',
    });
  }
});

test('a status that no trip and no message has is refused, and no empty list', async () => {
  for (const query of [
    'trips(status: nope) { totalCount }',
    'emailLogs(filter: { status: nope }) { edges { cursor } }',
  ]) {
    const { data, errors } = await ask(`{ ${query} }`);
    expect([data, errors[0].message]).toEqual([undefined, expect.stringContaining('"nope" does not exist')]);
  }
  for (const status of ['nope', 'Completed', '']) {
    const { data, errors } = await ask('query ($s: TripStatus) { trips(status: $s) { totalCount } }', {
      s: status,
    });
    expect([data, errors[0].message]).toEqual([undefined, expect.stringContaining('"TripStatus"')]);
  }
  const { data } = await ask('query ($s: TripStatus) { trips(status: $s) { totalCount } }', { s: null });
  expect(data.trips.totalCount).toBe(COUNT);
});

test('what the playground asks first is answered', async () => {
  const { data, errors } = await ask(SAMPLE);
  expect(errors).toBeUndefined();
  expect(data).toMatchObject({
    workspace: { environment: 'live' },
    contacts: { totalCount: COUNT },
    flows: { counts: { all: COUNT } },
  });
});
