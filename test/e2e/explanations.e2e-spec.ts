/** Explanations of trips, and of why a contact got no mail, through GraphQL and the command line. */
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { until } from '../support/until.js';
import type { CliContext } from '../../src/processes/cli/command.js';
import { runCommand } from '../../src/processes/cli/commands.js';
import { UNWATCHED } from '../support/cli-world.js';

let app: TestApp;

beforeAll(async () => {
  app = await bootApp();
});
afterAll(() => app.close());

const EXPLAIN_TRIP = `query ($id: ID!) { explainTrip(id: $id) { status
  decisions { stepId stepPath stepType outcome way wayName reason detail facts }
  messages { stepPath status templateSlug suppressedReason detail facts }
  waitsFor { kind until detail } end { reason detail } } }`;
const EXPLAIN_SILENCE = `query ($flow: ID!, $externalId: String) { explainSilence(flowId: $flow, externalId: $externalId) {
  reason detail findings { check isAgainst reason eventId tripId stepPath facts } } }`;

const STEPS = [
  {
    type: 'conditional_split',
    branches: [
      {
        name: 'Big',
        check: { source: 'trigger_event', attribute: 'amount', operator: 'greater_than', value: 100 },
        steps: [
          { type: 'wait', duration: '1d' },
          { type: 'send_email', template_slug: 'welcome' },
        ],
      },
    ],
  },
  {
    type: 'condition',
    check: { source: 'contact', field: 'properties.secret', operator: 'equals', value: 'rose' },
    on_true: 'skip_to_end',
  },
];

interface Fixture {
  workspace: TestWorkspace;
  flowId: string;
  members: Record<string, string>;
}

async function fixture(flow: object = {}, settings: object = {}): Promise<Fixture> {
  const tag = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
  const members = {
    owner: `o-${tag}@example.com`,
    marketing: `m-${tag}@example.com`,
    viewer: `v-${tag}@example.com`,
  };
  const made = await app.workspace({
    settings,
    members: Object.entries(members).map(([role, email]) => ({ email, role })),
  });
  const workspace: TestWorkspace = {
    ...made,
    graphql: (query, variables = {}) => asked({ workspace: made, members }, 'owner', query, variables),
  };
  const template = { name: 'Welcome', slug: 'welcome', subject: 'Hi', body_html: '<p>Hi</p>' };
  expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
  const { body } = await workspace.call('POST', '/v1/flows', {
    name: 'Flow',
    trigger_event: 'ordered',
    content_type: 'transactional',
    steps: STEPS,
    ...flow,
  });
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  return { workspace, flowId: body.id, members };
}

const order = (external_id: string, attributes: object, contact: object = {}): object => ({
  external_id,
  event_name: 'ordered',
  attributes,
  contact,
});

async function tripOf({ workspace, flowId }: Fixture, status: string): Promise<string> {
  let id = '';
  await until(`a trip is ${status}`, async () => {
    const { body } = await workspace.call('GET', `/v1/flows/${flowId}/trips?status=${status}`);
    id = body.trips[0]?.id ?? '';
    return id !== '';
  });
  return id;
}

async function asked(
  { workspace, members }: Omit<Fixture, 'flowId'>,
  role: string,
  query: string,
  variables: object,
): Promise<Answer> {
  return app.request(
    'POST',
    '/graphql',
    { query, variables },
    {
      'x-workspace-id': workspace.id,
      authorization: `Bearer ${await app.token(members[role] ?? '')}`,
    },
  );
}

test('a trip is explained: ways, waits, messages, and values only for those who may read contacts', async () => {
  const own = await fixture();
  const { workspace } = own;
  const event = order('ada', { amount: 250 }, { properties: { secret: 'tulip' } });
  expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
  const id = await tripOf(own, 'paused');
  const parked = (await workspace.graphql(EXPLAIN_TRIP, { id })).body.data.explainTrip;
  expect(parked.waitsFor).toMatchObject({
    kind: 'time',
    until: new Date(app.clock.now().getTime() + DAY).toISOString(),
  });
  expect(parked.end).toBeNull();

  app.clock.wind(DAY);
  await tripOf(own, 'completed');
  const explained = (await workspace.graphql(EXPLAIN_TRIP, { id })).body.data.explainTrip;
  expect(explained).toMatchObject({ status: 'completed', waitsFor: null, end: { reason: 'finished' } });
  expect(explained.decisions.map(({ stepPath, reason }: any) => [stepPath, reason])).toEqual([
    [null, 'trigger_event'],
    ['steps[0]', 'branch_taken'],
    ['steps[0].branches[0].steps[0]', 'wait'],
    ['steps[0].branches[0].steps[0]', 'wait_over'],
    ['steps[0].branches[0].steps[1]', 'message_asked_for'],
    ['steps[0].branches[0].steps[1]', 'no_email_address'],
    ['steps[1]', 'check_fails'],
    [null, 'finished'],
  ]);
  expect(explained.decisions[1].facts).toEqual({
    asked: [
      { branch: 0, holds: true, attribute: 'amount', kept: true, operator: 'greater_than', expected: 100 },
    ],
    values: { asked: [{ branch: 0, value: 250 }] },
  });
  expect(explained.decisions[6].facts).toEqual({
    holds: false,
    field: 'properties.secret',
    operator: 'equals',
    expected: 'rose',
    values: { value: 'tulip' },
  });
  expect(explained.messages).toMatchObject([
    { stepPath: 'steps[0].branches[0].steps[1]', status: 'suppressed', suppressedReason: 'no_email_address' },
  ]);

  const masked = JSON.stringify((await asked(own, 'marketing', EXPLAIN_TRIP, { id })).body);
  expect(masked).toContain('check_fails');
  for (const secret of ['tulip', '250']) expect(masked).not.toContain(secret);
});

test('goals that it came to, the one that ended it, and what of the frequency cap was used', async () => {
  const capped = {
    type: 'send_email',
    template_slug: 'welcome',
    email_send_settings: { count_for_frequency_capping: true, ignore_frequency_capping: false },
  };
  const own = await fixture(
    { steps: [capped, capped, { type: 'wait', duration: '1d' }] },
    { frequency_cap: { max: 1, period_hours: 24 } },
  );
  const { workspace, flowId } = own;
  for (const [event_name, exit_on_conversion] of [
    ['looked', false],
    ['paid', true],
  ] as const) {
    const goal = { name: event_name, event_name, exit_on_conversion };
    expect((await workspace.call('POST', `/v1/flows/${flowId}/goals`, goal)).status).toBe(201);
  }
  const did = async (event_name: string): Promise<void> => {
    app.clock.wind(1_000);
    const event = { external_id: 'ada', event_name, contact: { email: 'ada@example.com' } };
    expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
  };
  await did('ordered');
  const id = await tripOf(own, 'paused');
  await did('looked');
  await did('paid');
  await tripOf(own, 'terminated');
  const { decisions } = (await workspace.graphql(EXPLAIN_TRIP, { id })).body.data.explainTrip;
  expect(decisions.map(({ outcome, reason }: any) => [outcome, reason])).toEqual([
    ['entered', 'trigger_event'],
    ['sent', 'message_asked_for'],
    ['message_sent', 'message_sent'],
    ['sent', 'message_asked_for'],
    ['message_suppressed', 'frequency_cap'],
    ['parked', 'wait'],
    ['converted', 'goal_reached'],
    ['converted', 'goal_reached'],
    ['ended', 'goal_conversion'],
  ]);
  expect(decisions[4].facts).toMatchObject({
    gates: ['frequency_cap'],
    cap: { sent: 1, max: 1, period_hours: 24 },
  });
  expect(decisions[6].facts).toMatchObject({ goal_name: 'looked' });
  expect(decisions[8].facts).toMatchObject({ goal_name: 'paid', event_id: decisions[7].facts.event_id });
});

test('another workspace’s trip is not found, nor is what is no trip', async () => {
  const own = await fixture();
  await own.workspace.call('POST', '/v1/events', order('ada', { amount: 250 }));
  const id = await tripOf(own, 'paused');
  const otherWorkspace = await app.workspace();
  expect((await otherWorkspace.graphql(EXPLAIN_TRIP, { id })).body.data.explainTrip).toBeNull();
  expect((await own.workspace.graphql(EXPLAIN_TRIP, { id: 'nonsense' })).body.data.explainTrip).toBeNull();
  const { body } = await otherWorkspace.graphql(EXPLAIN_SILENCE, { flow: own.flowId, externalId: 'ada' });
  expect(body.errors[0].extensions.code).toBe('flow_not_found');
});

test('an erasure takes what was seen of the contact out of its trips', async () => {
  const own = await fixture();
  const { workspace } = own;
  await workspace.call(
    'POST',
    '/v1/events',
    order('ada', { amount: 5 }, { properties: { secret: 'tulip' } }),
  );
  const id = await tripOf(own, 'completed');
  const before = await workspace.graphql(EXPLAIN_TRIP, { id });
  expect(JSON.stringify(before.body)).toContain('tulip');
  const { body: ada } = await workspace.call('GET', '/v1/contacts/ada');
  const erased = await workspace.graphql('mutation ($id: ID!) { eraseContact(id: $id) { trips } }', {
    id: ada.id,
  });
  expect(erased.body.data.eraseContact).toEqual({ trips: 1 });
  const after = await workspace.graphql(EXPLAIN_TRIP, { id });
  expect(JSON.stringify(after.body)).not.toContain('tulip');
  const { decisions } = after.body.data.explainTrip;
  expect(decisions.map(({ reason }: any) => reason)).toEqual([
    'trigger_event',
    'no_branch',
    'check_fails',
    'finished',
  ]);
});

describe('silence', () => {
  const silence = async ({ workspace, flowId }: Fixture, externalId: string): Promise<any> =>
    (await workspace.graphql(EXPLAIN_SILENCE, { flow: flowId, externalId })).body.data.explainSilence;
  const processed = async (own: Fixture, externalId: string): Promise<void> =>
    until('the event is processed', async () => (await silence(own, externalId)).reason !== 'event_pending');

  test('nobody knows the contact; conditions, re-entry, a flow that is paused; a message that could not go', async () => {
    const own = await fixture({ trigger_conditions: { shop: 'north' } });
    const { workspace, flowId } = own;
    expect(await silence(own, 'nobody')).toMatchObject({ reason: 'contact_unknown' });

    await workspace.call('POST', '/v1/events', order('bob', { shop: 'south' }));
    await processed(own, 'bob');
    const other = await silence(own, 'bob');
    expect(other.reason).toBe('conditions_do_not_match');
    expect(other.findings.find(({ isAgainst }: any) => isAgainst).facts).toEqual({
      key: 'shop',
      expected: 'north',
      seen: 'south',
    });
    const masked = await asked(own, 'marketing', EXPLAIN_SILENCE, { flow: flowId, externalId: 'bob' });
    expect(JSON.stringify(masked.body)).not.toContain('south');

    await workspace.call('POST', '/v1/events', order('ada', { shop: 'north', amount: 200 }));
    await processed(own, 'ada');
    expect(await silence(own, 'ada')).toMatchObject({ reason: 'waits_for_time' });
    app.clock.wind(DAY);
    const trip = await tripOf(own, 'completed');
    expect(await silence(own, 'ada')).toMatchObject({ reason: 'no_email_address' });
    app.clock.wind(1_000);
    await workspace.call('POST', '/v1/events', order('ada', { shop: 'north' }));
    await processed(own, 'ada');
    const again = await silence(own, 'ada');
    expect(again.reason).toBe('reentry_never');
    expect(again.findings.find(({ reason }: any) => reason === 'reentry_never').tripId).toBe(trip);

    app.clock.wind(1_000);
    expect((await workspace.call('POST', `/v1/flows/${flowId}/pause`)).status).toBe(200);
    app.clock.wind(1_000);
    await workspace.call('POST', '/v1/events', order('cyd', { shop: 'north' }));
    await processed(own, 'cyd');
    expect(await silence(own, 'cyd')).toMatchObject({ reason: 'flow_was_not_active' });
  });

  test('who asks for nobody, or for two, is told so', async () => {
    const own = await fixture();
    const { body } = await own.workspace.graphql(EXPLAIN_SILENCE, { flow: own.flowId });
    expect(body.errors[0].extensions.code).toBe('invalid_field');
  });
});

test('the command line explains both', async () => {
  const own = await fixture();
  await own.workspace.call('POST', '/v1/events', order('ada', { amount: 250 }));
  const id = await tripOf(own, 'paused');
  const world: CliContext = {
    config: app.config,
    now: () => new Date(),
    readText: () => Promise.reject(new Error('Nothing is read.')),
    ...UNWATCHED,
    readInput: () => Promise.resolve(Buffer.alloc(0)),
    migrate: () => Promise.resolve([]),
    withServices: (work) => work({ get: (token) => app.app.get(token, { strict: false }) }),
  };
  expect(
    await runCommand(['trip:explain', '--workspace', own.workspace.id, '--trip', id], world),
  ).toMatchObject({
    flow_id: own.flowId,
    status: 'paused',
    waits_for: { kind: 'time' },
    decisions: [
      { reason: 'trigger_event' },
      { reason: 'branch_taken', step_path: 'steps[0]' },
      { reason: 'wait' },
    ],
  });
  const args = ['contact:explain', '--workspace', own.workspace.id, '--contact', 'ada', '--flow', own.flowId];
  expect(await runCommand(args, world)).toMatchObject({ reason: 'waits_for_time' });
});
