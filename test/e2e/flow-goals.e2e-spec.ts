/** Conversion goals of a flow over HTTP and GraphQL: every rule of sections 2.5 and 4.2. */
import { sharedApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';

let app: TestApp;
let workspace: TestWorkspace;
let flowId: string;

beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  workspace = await app.workspace();
  flowId = await newFlow();
});

const UNKNOWN_ID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface';
const LEAST = { name: 'First order', event_name: 'order_placed' };

async function newFlow(): Promise<string> {
  const flow = { name: 'Onboarding', trigger_event: 'signed_up', content_type: 'transactional' };
  return (await workspace.call('POST', '/v1/flows', flow)).body.id as string;
}

const goals = (more = ''): string => `/v1/flows/${flowId}/goals${more}`;
const create = (more: object = {}): Promise<Answer> => workspace.call('POST', goals(), { ...LEAST, ...more });
const update = (id: string, changes: object): Promise<Answer> =>
  workspace.call('PUT', goals(`/${id}`), changes);
const reorder = (ids: unknown): Promise<Answer> =>
  workspace.call('PUT', goals('/reorder'), { goal_ids: ids });
const list = async (): Promise<any[]> => (await workspace.call('GET', goals())).body;
/** Ids in the order of the list; also checks that the positions have no gaps. */
async function order(): Promise<string[]> {
  const listed = await list();
  expect(listed.map(({ position }) => position)).toEqual(listed.map((_, index) => index));
  return listed.map(({ id }) => id);
}
async function three(): Promise<string[]> {
  const ids: string[] = [];
  for (const event_name of ['a', 'b', 'c']) ids.push((await create({ event_name })).body.id);
  return ids;
}
const refusal = ({ status, body }: Answer): unknown[] => [status, body.code, body.errors?.[0]?.field];

describe('create', () => {
  test('answers 201 with the goal and its defaults', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      flow_id: flowId,
      position: 0,
      name: 'First order',
      event_name: 'order_placed',
      event_filters: {},
      attribution_window_value: 7,
      attribution_window_unit: 'days',
      exit_on_conversion: false,
      created_at: app.clock.now().toISOString(),
      updated_at: app.clock.now().toISOString(),
    });
    expect(await list()).toEqual([body]);
  });

  test('keeps everything that it is given, at the bounds', async () => {
    const given = {
      name: 'n'.repeat(255),
      event_name: 'e'.repeat(255),
      event_filters: { plan: 'pro', seats: 3, nested: { a: [1, null] } },
      attribution_window_value: 365,
      attribution_window_unit: 'weeks',
      exit_on_conversion: true,
    };
    const { status, body } = await create(given);
    expect([status, body]).toEqual([201, expect.objectContaining(given)]);
    expect(await list()).toEqual([body]);
    const least = {
      attribution_window_value: 1,
      attribution_window_unit: 'hours',
      name: 'x',
      event_name: 'x',
    };
    expect((await create(least)).body).toMatchObject(least);
  });

  test('keeps numbers that a double cannot hold', async () => {
    const body = `{"name":"n","event_name":"e","event_filters":{"order":12345678901234567890}}`;
    const url = `${app.url}${goals()}`;
    const headers = {
      'content-type': 'application/json',
      'x-workspace-id': workspace.id,
      'x-api-key': workspace.key,
    };
    await fetch(url, { method: 'POST', headers, body });
    expect(await (await fetch(url, { headers })).text()).toContain('"order":12345678901234567890');
  });

  test.each(['name', 'event_name'])('refuses a goal without %s with 400', async (field) => {
    expect(refusal(await create({ [field]: undefined }))).toEqual([400, 'validation_error', field]);
  });

  test.each([
    ['name', ''],
    ['name', ' '],
    ['name', 'n'.repeat(256)],
    ['name', 7],
    ['event_name', ''],
    ['event_name', 'e'.repeat(256)],
    ['event_filters', []],
    ['event_filters', { a: 'x'.repeat(5_000) }],
    ['event_filters', { a: [[[[[[[[[[1]]]]]]]]]] }],
    ['attribution_window_value', 0],
    ['attribution_window_value', 366],
    ['attribution_window_value', 1.5],
    ['attribution_window_value', '7'],
    ['attribution_window_value', null],
    ['attribution_window_unit', 'months'],
    ['exit_on_conversion', 'yes'],
    ['position', 3],
  ])('refuses a wrong %s with 422', async (field, value) => {
    expect(refusal(await create({ [field]: value }))).toEqual([422, 'invalid_field', field]);
    const { body } = await create();
    expect(refusal(await update(body.id, { [field]: value }))).toEqual([422, 'invalid_field', field]);
  });

  test('an event name is lower snake case, else 400 invalid_event_name', async () => {
    expect(refusal(await create({ event_name: 'OrderPlaced' }))).toEqual([
      400,
      'invalid_event_name',
      'event_name',
    ]);
    const { body } = await create();
    expect(refusal(await update(body.id, { event_name: 'order placed' }))).toEqual([
      400,
      'invalid_event_name',
      'event_name',
    ]);
  });

  test('a flow has one goal for an event: 409 with the nested object', async () => {
    await create();
    const { status, body } = await create({ name: 'Again' });
    expect([status, body]).toMatchObject([
      409,
      { detail: { code: 'goal_event_name_conflict', message: expect.any(String) } },
    ]);
    const first = flowId;
    flowId = await newFlow();
    expect((await create()).status).toBe(201);
    flowId = first;
    expect(await list()).toHaveLength(1);
  });

  test('of sixty at once fifty are made, in positions without gaps, and one of those that share an event', async () => {
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, index) => create({ event_name: `event_${index}` })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
    const refused = made.filter(({ status }) => status === 422);
    expect(refused.map(refusal)).toEqual(Array(10).fill([422, 'invalid_field', 'goals']));
    expect(await order()).toHaveLength(50);
    flowId = await newFlow();
    const same = await Promise.all(Array.from({ length: 5 }, () => create()));
    expect(same.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });
});

describe('update', () => {
  test('changes what is sent and nothing else', async () => {
    const { body: goal } = await create({ event_filters: { plan: 'pro' } });
    app.clock.wind(1_000);
    const updated_at = app.clock.now().toISOString();
    for (const change of [
      { name: 'Other' },
      { event_name: 'order_paid' },
      { event_filters: {} },
      { attribution_window_value: 30 },
      { attribution_window_unit: 'hours' },
      { exit_on_conversion: true },
      {},
    ]) {
      const { status, body } = await update(goal.id, change);
      Object.assign(goal, change, { updated_at });
      expect([status, body]).toEqual([200, goal]);
      expect(await list()).toEqual([goal]);
    }
  });

  test('a rename to an event that another goal has is 409; to its own it is none', async () => {
    const { body: first } = await create();
    const { body: second } = await create({ event_name: 'order_paid' });
    const { status, body } = await update(second.id, { event_name: 'order_placed' });
    expect([status, body.detail?.code]).toEqual([409, 'goal_event_name_conflict']);
    expect((await update(first.id, { event_name: 'order_placed' })).status).toBe(200);
    expect((await list())[1]).toEqual(second);
  });
});

describe('order', () => {
  test('is the one that is asked for', async () => {
    const [a, b, c] = await three();
    expect(await order()).toEqual([a, b, c]);
    const { status, body } = await reorder([c, a, b]);
    expect(status).toBe(200);
    expect(body.map(({ id, position }: any) => [id, position])).toEqual([
      [c, 0],
      [a, 1],
      [b, 2],
    ]);
    expect(await order()).toEqual([c, a, b]);
    expect(await list()).toEqual(body);
  });

  test('a missing, an unknown and a repeated goal are 400', async () => {
    const [a, b, c] = await three();
    for (const ids of [
      [a, b],
      [a, b, c, UNKNOWN_ID],
      [a, b, UNKNOWN_ID],
      [a, b, c, c],
      [a, b, b],
      [],
      ['x', b, c],
    ])
      expect(refusal(await reorder(ids)).slice(0, 2)).toEqual([400, 'validation_error']);
    expect(refusal(await reorder(undefined))).toEqual([400, 'validation_error', 'goal_ids']);
    expect(refusal(await reorder('all'))).toEqual([422, 'invalid_field', 'goal_ids']);
    expect(await order()).toEqual([a, b, c]);
  });

  test('has no gap behind a deleted goal', async () => {
    const [a, b, c] = await three();
    const { status, body } = await workspace.call('DELETE', goals(`/${b}`));
    expect([status, body]).toEqual([204, '']);
    expect(await order()).toEqual([a, c]);
    expect((await create({ event_name: 'd' })).body.position).toBe(2);
  });

  test('is whole after changes at once', async () => {
    const ids = await three();
    const reversed = [...ids].reverse();
    await Promise.all([
      ...['d', 'e', 'f', 'g'].map((event_name) => create({ event_name })),
      reorder(ids),
      reorder(reversed),
      workspace.call('DELETE', goals(`/${ids[1]}`)),
      workspace.call('DELETE', goals(`/${ids[2]}`)),
    ]);
    expect(await order()).toHaveLength(5);
  });
});

describe('what is not there', () => {
  test('a flow that is unknown, of another workspace or archived is flow_not_found', async () => {
    const { body: goal } = await create();
    const calls = (flow: string): Promise<Answer>[] => [
      workspace.call('GET', `/v1/flows/${flow}/goals`),
      workspace.call('POST', `/v1/flows/${flow}/goals`, LEAST),
      workspace.call('PUT', `/v1/flows/${flow}/goals/${goal.id}`, {}),
      workspace.call('PUT', `/v1/flows/${flow}/goals/reorder`, { goal_ids: [goal.id] }),
      workspace.call('DELETE', `/v1/flows/${flow}/goals/${goal.id}`),
    ];
    const own = flowId;
    for (const flow of [UNKNOWN_ID, 'none'])
      for (const { status, body } of await Promise.all(calls(flow)))
        expect([status, body.code]).toEqual([404, 'flow_not_found']);
    workspace = await app.workspace();
    for (const { status, body } of await Promise.all(calls(own)))
      expect([status, body.code]).toEqual([404, 'flow_not_found']);
  });

  test('a goal that is unknown, or of another flow, is goal_not_found', async () => {
    const { body: goal } = await create();
    flowId = await newFlow();
    for (const id of [goal.id, UNKNOWN_ID, 'none'])
      for (const { status, body } of [await update(id, {}), await workspace.call('DELETE', goals(`/${id}`))])
        expect([status, body.code]).toEqual([404, 'goal_not_found']);
  });

  test('a key that may not write reads only', async () => {
    const viewer = {
      authorization: `Bearer ${await app.token('nobody@example.com')}`,
      'x-workspace-id': workspace.id,
    };
    expect((await app.request('GET', goals(), undefined, viewer)).status).toBe(403);
  });
});

test('GraphQL makes, changes, orders, shows and deletes goals', async () => {
  const FIELDS =
    'id flowId position name eventName eventFilters attributionWindowValue attributionWindowUnit exitOnConversion';
  const made = await workspace.graphql(
    `mutation ($flowId: ID!, $input: CreateFlowGoalInput!) { createFlowGoal(flowId: $flowId, input: $input) { ${FIELDS} } }`,
    { flowId, input: { name: 'One', eventName: 'one', attributionWindowUnit: 'weeks' } },
  );
  const one = made.body.data.createFlowGoal;
  expect(one).toEqual({
    id: expect.any(String),
    flowId,
    position: 0,
    name: 'One',
    eventName: 'one',
    eventFilters: {},
    attributionWindowValue: 7,
    attributionWindowUnit: 'weeks',
    exitOnConversion: false,
  });
  const { body: two } = await create({ name: 'Two', event_name: 'two' });
  const changed = await workspace.graphql(
    `mutation ($flowId: ID!, $goalId: ID!, $input: UpdateFlowGoalInput!) {
      updateFlowGoal(flowId: $flowId, goalId: $goalId, input: $input) { name eventName } }`,
    { flowId, goalId: one.id, input: { name: 'Eins', eventName: null } },
  );
  expect(changed.body.data.updateFlowGoal).toEqual({ name: 'Eins', eventName: 'one' });
  const ordered = await workspace.graphql(
    `mutation ($flowId: ID!, $goalIds: [String!]!) { reorderFlowGoals(flowId: $flowId, goalIds: $goalIds) { id } }`,
    { flowId, goalIds: [two.id, one.id] },
  );
  expect(ordered.body.data.reorderFlowGoals).toEqual([{ id: two.id }, { id: one.id }]);
  const conflict = await workspace.graphql(
    `mutation ($flowId: ID!, $input: CreateFlowGoalInput!) { createFlowGoal(flowId: $flowId, input: $input) { id } }`,
    { flowId, input: { name: 'Uno', eventName: 'one' } },
  );
  expect(conflict.body.errors[0].extensions.code).toBe('goal_event_name_conflict');
  const gone = await workspace.graphql(
    `mutation ($flowId: ID!, $goalId: ID!) { deleteFlowGoal(flowId: $flowId, goalId: $goalId) }`,
    { flowId, goalId: two.id },
  );
  expect(gone.body.data.deleteFlowGoal).toBe(true);
  const shown = await workspace.graphql(
    `query ($id: ID!) { flow(id: $id) { goals { name position } } flows { edges { node { goals { name } } } } }`,
    { id: flowId },
  );
  expect(shown.body.data).toEqual({
    flow: { goals: [{ name: 'Eins', position: 0 }] },
    flows: { edges: [{ node: { goals: [{ name: 'Eins' }] } }] },
  });
});
