/**
 * Flow checks that match parts of email addresses, as segment filters can. Only callers who may read contacts can set
 * them, whether the flow is saved, restored or simulated. Existing checks of this kind reveal no address to other
 * callers.
 */
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { until } from '../support/until.js';

let app: TestApp;
let workspace: TestWorkspace;
let members: Record<string, string>;

beforeAll(async () => {
  app = await bootApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const tag = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
  members = { developer: `d-${tag}@team.test`, marketing: `m-${tag}@team.test` };
  workspace = await app.workspace({
    members: Object.entries(members).map(([role, email]) => ({ email, role })),
    api_keys: [
      { name: 'full', scope: 'full', environment: 'live' },
      { name: 'management', scope: 'management', environment: 'live' },
    ],
  });
});

const headersOf = async (role: string): Promise<Record<string, string>> => ({
  'x-workspace-id': workspace.id,
  authorization: `Bearer ${await app.token(members[role] ?? '')}`,
});
const as = async (role: string, method: string, path: string, body?: object): Promise<Answer> =>
  app.request(method, path, body, await headersOf(role));
async function askAs(role: string, query: string, variables: object): Promise<any> {
  const { body } = await app.request('POST', '/graphql', { query, variables }, await headersOf(role));
  return body.errors ? body.errors[0].extensions : Object.values(body.data)[0];
}

const contact = (field: string, operator: string, value: unknown): object => ({
  source: 'contact',
  field,
  operator,
  value,
});
const condition = (check: object): object => ({ type: 'condition', check });
const PART = contact('email', 'starts_with', 'ada@');
const DOMAIN = contact('email', 'ends_with', '@example.com');
/** The same check as a step, as a branch, and within the lists of both kinds of splits. */
const PLACES: readonly (readonly [string, object])[] = [
  ['a condition', condition(PART)],
  ['a branch', { type: 'conditional_split', branches: [{ check: PART }] }],
  ['a step of a branch', { type: 'conditional_split', branches: [{ steps: [condition(PART)] }] }],
  [
    'a step of a variant',
    {
      type: 'ab_split',
      variants: [
        { name: 'A', percentage: 50 },
        { name: 'B', percentage: 50, steps: [{ type: 'conditional_split', branches: [{ check: PART }] }] },
      ],
    },
  ],
];
const LEAST = { name: 'Flow', trigger_event: 'signed_up', content_type: 'transactional' };
const DRAFT = { name: 'Flow', triggerEvent: 'signed_up', contentType: 'transactional' };
const FORBIDDEN = { code: 'missing_permission', required_permission: 'contacts:read' };
const REFUSAL = { error: 'forbidden', reason: 'missing_permission', required_permission: 'contacts:read' };
const CREATE = 'mutation ($input: CreateFlowInput!) { createFlow(input: $input) { id version } }';
const UPDATE =
  'mutation ($id: ID!, $input: UpdateFlowInput!) { updateFlow(id: $id, input: $input) { id version } }';
const RESTORE =
  'mutation ($id: ID!, $version: Int!) { restoreFlowVersion(id: $id, version: $version) { version } }';
const SIMULATE = `query ($draft: CreateFlowInput, $flowId: ID, $from: DateTime!) {
  simulateFlow(draft: $draft, flowId: $flowId, from: $from) { flowName } }`;

const versionOf = async (id: string): Promise<number> =>
  (await workspace.call('GET', `/v1/flows/${id}`)).body.version as number;

test.each(PLACES)('%s that looks for parts of addresses is saved by readers alone', async (_place, step) => {
  const steps = [{ type: 'wait', duration: '1h' }, step];
  expect(await as('marketing', 'POST', '/v1/flows', { ...LEAST, steps })).toMatchObject({
    status: 403,
    body: REFUSAL,
  });
  expect(await askAs('marketing', CREATE, { input: { ...DRAFT, steps } })).toMatchObject(FORBIDDEN);
  const { body: flow } = await as('marketing', 'POST', '/v1/flows', LEAST);
  expect(await as('marketing', 'PUT', `/v1/flows/${flow.id}`, { steps })).toMatchObject({
    status: 403,
    body: REFUSAL,
  });
  expect(await askAs('marketing', UPDATE, { id: flow.id, input: { steps } })).toMatchObject(FORBIDDEN);
  expect(await versionOf(flow.id)).toBe(1);

  expect((await as('developer', 'PUT', `/v1/flows/${flow.id}`, { steps })).status).toBe(200);
  expect((await as('developer', 'POST', '/v1/flows', { ...LEAST, steps })).status).toBe(201);
  expect((await workspace.call('POST', '/v1/flows', { ...LEAST, steps })).status).toBe(201);
});

test.each([
  ['email', 'contains', 'ada'],
  ['email', 'not_contains', 'ada'],
  ['phone', 'starts_with', '+4420'],
  ['external_id', 'ends_with', '1'],
])('%s %s is such a question', async (field, operator, value) => {
  const steps = [condition(contact(field, operator, value))];
  expect((await as('marketing', 'POST', '/v1/flows', { ...LEAST, steps })).body).toMatchObject(REFUSAL);
});

test.each([
  ['the domain of an email', DOMAIN],
  ['a whole address', contact('email', 'equals', 'ada@example.com')],
  ['whether there is one', { source: 'contact', field: 'phone', operator: 'exists' }],
  ['a part of a name', contact('first_name', 'starts_with', 'Ad')],
])('%s is none, as in segments', async (_what, check) => {
  const answer = await as('marketing', 'POST', '/v1/flows', { ...LEAST, steps: [condition(check)] });
  expect(answer.status).toBe(201);
});

test('a draft is tried, and a version brought back, by readers alone; what others ask stays', async () => {
  const from = app.clock.now();
  app.clock.wind(DAY);
  const steps = [condition(PART)];
  const draft = { ...DRAFT, steps };
  expect(await askAs('marketing', SIMULATE, { draft, from })).toMatchObject(FORBIDDEN);
  expect(await askAs('developer', SIMULATE, { draft, from })).toEqual({ flowName: 'Flow' });

  const { body: flow } = await as('developer', 'POST', '/v1/flows', { ...LEAST, steps });
  expect(await askAs('marketing', SIMULATE, { draft, flowId: flow.id, from })).toMatchObject(FORBIDDEN);
  expect(await askAs('marketing', SIMULATE, { flowId: flow.id, from })).toEqual({ flowName: 'Flow' });
  expect((await as('marketing', 'PUT', `/v1/flows/${flow.id}`, { name: 'Renamed' })).status).toBe(200);
  const copy = await as('marketing', 'POST', `/v1/flows/${flow.id}/duplicate`);
  expect(copy).toMatchObject({ status: 201, body: { steps } });

  expect((await as('marketing', 'PUT', `/v1/flows/${flow.id}`, { steps: [] })).status).toBe(200);
  expect(await as('marketing', 'POST', `/v1/flows/${flow.id}/versions/1/restore`)).toMatchObject({
    status: 403,
    body: REFUSAL,
  });
  expect(await askAs('marketing', RESTORE, { id: flow.id, version: 2 })).toMatchObject(FORBIDDEN);
  expect(await versionOf(flow.id)).toBe(3);
  expect((await as('marketing', 'POST', `/v1/flows/${flow.id}/versions/9/restore`)).status).toBe(404);
  expect(await askAs('developer', RESTORE, { id: flow.id, version: 1 })).toEqual({ version: 4 });
});

const EXPLAIN = 'query ($id: ID!) { explainTrip(id: $id) { decisions { stepPath reason detail facts } } }';
const SILENCE = `query ($flow: ID!) { explainSilence(flowId: $flow, externalId: "ada") {
  findings { reason detail facts } } }`;

test('what others ask of addresses is answered to readers alone', async () => {
  const asking = contact('phone', 'starts_with', '+4420');
  const mail = contact('email', 'equals', 'ada@example.com');
  const steps = [
    { type: 'condition', check: asking },
    { type: 'conditional_split', branches: [{ check: mail }] },
    { type: 'condition', check: contact('first_name', 'equals', 'Ada'), on_true: 'skip_to_end' },
  ];
  const { body: flow } = await as('developer', 'POST', '/v1/flows', { ...LEAST, steps });
  expect((await as('developer', 'POST', `/v1/flows/${flow.id}/activate`)).status).toBe(200);
  const event = {
    external_id: 'ada',
    event_name: 'signed_up',
    contact: { email: 'ada@example.com', phone: '+442079460958', first_name: 'Ada' },
  };
  expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
  let id = '';
  await until('the trip is over', async () => {
    const { body } = await workspace.call('GET', `/v1/flows/${flow.id}/trips?status=completed`);
    id = body.trips[0]?.id ?? '';
    return id !== '';
  });

  const whole = (await askAs('developer', EXPLAIN, { id })).decisions;
  expect(whole.slice(1, 4)).toEqual([
    {
      stepPath: 'steps[0]',
      reason: 'check_holds',
      detail: 'Checks “contact phone starts_with +4420”: yes. Continues.',
      facts: {
        holds: true,
        field: 'phone',
        operator: 'starts_with',
        expected: '+4420',
        values: { value: '+442079460958' },
      },
    },
    {
      stepPath: 'steps[1]',
      reason: 'branch_taken',
      detail: 'Takes branches[0], since it matches: contact email equals ada@example.com.',
      facts: {
        asked: [{ branch: 0, holds: true, field: 'email', operator: 'equals', expected: 'ada@example.com' }],
        values: { asked: [{ branch: 0, value: 'ada@example.com' }] },
      },
    },
    {
      stepPath: 'steps[2]',
      reason: 'check_holds',
      detail: 'Checks “contact first_name equals Ada”: yes. Skips to the end.',
      facts: {
        holds: true,
        field: 'first_name',
        operator: 'equals',
        expected: 'Ada',
        values: { value: 'Ada' },
      },
    },
  ]);
  const shown = (await askAs('marketing', EXPLAIN, { id })).decisions;
  expect(shown.slice(1, 4)).toEqual([
    {
      stepPath: 'steps[0]',
      reason: 'check_asked',
      detail: 'Checks the contact’s phone (the result requires permission to read contacts). Continues.',
      facts: { field: 'phone' },
    },
    {
      stepPath: 'steps[1]',
      reason: 'branch_taken',
      detail: 'Takes branches[0], by the contact’s email (the result requires permission to read contacts).',
      facts: { asked: [{ branch: 0, field: 'email' }] },
    },
    {
      stepPath: 'steps[2]',
      reason: 'check_holds',
      detail: 'Checks “contact first_name equals Ada”: yes. Skips to the end.',
      facts: { holds: true, field: 'first_name', operator: 'equals', expected: 'Ada' },
    },
  ]);
  const silence = await askAs('marketing', SILENCE, { flow: flow.id });
  expect(silence.findings.length).toBeGreaterThan(0);
  expect(JSON.stringify(silence)).not.toMatch(/4420|ada@example/);
});
