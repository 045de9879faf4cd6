/**
 * simulateFlow over GraphQL: who may use it, what each caller sees, what is refused, and that it has no side effects.
 */
import pg from 'pg';
import { APPROXIMATIONS } from '../../src/modules/trips/domain/simulation/simulation-report.js';
import {
  FlowSimulationService,
  type FlowSimulation,
} from '../../src/modules/trips/application/flow-simulation.service.js';
import { NO_TIME_LIMITS } from '../../src/modules/trips/application/simulation-scheduler.js';
import type { SimulationRequest } from '../../src/modules/trips/domain/simulation/simulation-request.js';
import { DEFAULT_SETTINGS } from '../../src/modules/flows/domain/flow-settings.js';
import type { NewFlow } from '../../src/modules/flows/domain/flow.js';
import { runCommand } from '../../src/processes/cli/commands.js';
import { sharedApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { UNWATCHED } from '../support/cli-world.js';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;
let flowId: string;
let from: Date;

const FIELDS = `flowId flowVersion flowName from to complete until
  events { read seen matched leftOut { reason events } }
  trips { started completed terminated failed waiting heldBack }
  tripsByDay { day started completed endedEarly inFlight }
  sendsByStepAndDay { stepId path day sent suppressed failed }
  waits { stepId path trips stillWaiting longestSeconds medianSeconds }
  delays { stepId path gate messages stillHeld longestSeconds medianSeconds }
  unsent { stepId path kind reason messages }
  branches { stepId path way name trips }
  goals { name conversions totalConversions exits }
  sample { stepId path at externalId to subject html text unsentReason }
  approximations { code description }`;
const QUERY = `query ($flowId: ID, $draft: CreateFlowInput, $from: DateTime!, $to: DateTime, $fresh: Boolean) {
  simulateFlow(flowId: $flowId, draft: $draft, from: $from, to: $to, fresh: $fresh) { ${FIELDS} } }`;

const PROMOTION = {
  name: 'Onboarding',
  trigger_event: 'signed_up',
  content_type: 'promotional',
  settings: { reentry_policy: 'never' },
  steps: [
    { type: 'send_email', template_slug: 'welcome' },
    { type: 'wait', duration: '1d' },
    {
      type: 'condition',
      check: { source: 'latest_event', event_name: 'bought', exists: true },
      on_true: 'skip_to_end',
      on_false: 'continue',
    },
    {
      type: 'send_email',
      template_slug: 'welcome',
      subject: 'Still there?',
      email_send_settings: {
        send_window_enabled: true,
        send_window_start: '09:00',
        send_window_end: '17:00',
        send_window_timezone: 'contact',
      },
    },
  ],
};

beforeAll(async () => {
  // No queue is worked on, so accepting the event is the only effect.
  app = await sharedApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  workspace = await app.workspace({
    live: true,
    members: [
      { email: 'simulating-owner@example.com', role: 'owner' },
      { email: 'simulating-marketer@example.com', role: 'marketing' },
      { email: 'simulating-viewer@example.com', role: 'viewer' },
    ],
    templates: [
      {
        name: 'Welcome',
        slug: 'welcome',
        subject: `Hi {the user's First Name, or "there"}`,
        body_html: `<p>Dear {the user's First Name, or "friend"}, we write to {the user's Email}.</p>`,
      },
    ],
    contacts: [
      { external_id: 'ada', email: 'ada@example.com', first_name: 'Ada', timezone: 'Europe/Berlin' },
      { external_id: 'bob', first_name: 'Bob' },
    ],
  });
  const created = await workspace.call('POST', '/v1/flows', PROMOTION);
  expect(created.status).toBe(201);
  flowId = created.body.id;
  from = app.clock.now();
  for (const [hours, externalId, name] of [
    [1, 'ada', 'signed_up'],
    [2, 'bob', 'signed_up'],
    [3, 'ada', 'signed_up'],
    [4, 'cyd', 'signed_up'],
    [5, 'bob', 'bought'],
  ] as const) {
    app.clock.wind(from.getTime() + hours * HOUR - app.clock.now().getTime());
    const event = { external_id: externalId, event_name: name, attributes: { plan: 'pro' } };
    expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
  }
  app.clock.wind(3 * DAY);
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

function newFlow(more: Pick<NewFlow, 'triggerEvent' | 'steps'>): NewFlow {
  return {
    name: 'Draft',
    description: '',
    tags: [],
    triggerConditions: {},
    segmentId: null,
    contentType: 'transactional',
    settings: DEFAULT_SETTINGS,
    ...more,
  };
}

/** The day `n` days after the first. */
const day = (n: number): string => new Date(from.getTime() + n * DAY).toISOString().slice(0, 10);

async function ask(variables: object, email = 'simulating-owner@example.com'): Promise<Answer> {
  const headers = { authorization: `Bearer ${await app.token(email)}`, 'x-workspace-id': workspace.id };
  return app.request('POST', '/graphql', { query: QUERY, variables }, headers);
}

test('what a flow would have done, and that nothing happens', async () => {
  const { body } = await ask({ flowId, from });
  expect(body.errors).toBeUndefined();
  const { sample, approximations, ...simulation } = body.data.simulateFlow;
  expect(simulation).toEqual({
    flowId,
    flowVersion: 1,
    flowName: 'Onboarding',
    from: from.toISOString(),
    to: app.clock.now().toISOString(),
    complete: true,
    until: app.clock.now().toISOString(),
    events: { read: 5, seen: 4, matched: 4, leftOut: [{ reason: 'reentry_never', events: 1 }] },
    trips: { started: 3, completed: 3, terminated: 0, failed: 0, waiting: 0, heldBack: 0 },
    tripsByDay: [
      { day: day(0), started: 3, completed: 0, endedEarly: 0, inFlight: 3 },
      { day: day(1), started: 0, completed: 3, endedEarly: 0, inFlight: 0 },
      { day: day(2), started: 0, completed: 0, endedEarly: 0, inFlight: 0 },
      { day: day(3), started: 0, completed: 0, endedEarly: 0, inFlight: 0 },
    ],
    sendsByStepAndDay: [
      { stepId: 1, path: 'steps[0]', day: day(0), sent: 1, suppressed: 2, failed: 0 },
      { stepId: 4, path: 'steps[3]', day: day(1), sent: 1, suppressed: 1, failed: 0 },
    ],
    waits: [
      {
        stepId: 2,
        path: 'steps[1]',
        trips: 3,
        stillWaiting: 0,
        longestSeconds: 86_400,
        medianSeconds: 86_400,
      },
    ],
    delays: [],
    unsent: [
      { stepId: 1, path: 'steps[0]', kind: 'suppressed', reason: 'no_email_address', messages: 2 },
      { stepId: 4, path: 'steps[3]', kind: 'suppressed', reason: 'no_email_address', messages: 1 },
    ],
    branches: [
      { stepId: 3, path: 'steps[2]', way: 'true', name: 'yes', trips: 1 },
      { stepId: 3, path: 'steps[2]', way: 'false', name: 'no', trips: 2 },
    ],
    goals: [],
  });
  expect(sample).toEqual([
    {
      stepId: 1,
      path: 'steps[0]',
      at: new Date(from.getTime() + HOUR).toISOString(),
      externalId: 'ada',
      to: 'ada@example.com',
      subject: 'Hi Ada',
      html: expect.stringMatching(/Dear Ada, we write to ada@example\.com.*Acme Inc.*href="#unsubscribe"/s),
      text: expect.stringContaining('Dear Ada'),
      unsentReason: null,
    },
    expect.objectContaining({ stepId: 4, subject: 'Still there?' }),
  ]);
  for (const { code, description } of approximations)
    expect(description).toBe(APPROXIMATIONS[code as keyof typeof APPROXIMATIONS]);
  const { rows } = await admin.query<{ made: number }>(
    `SELECT (SELECT count(*) FROM trips WHERE workspace_id = $1)::int + (SELECT count(*) FROM email_logs WHERE workspace_id = $1)::int
       + (SELECT count(*) FROM contacts WHERE workspace_id = $1 AND external_id = 'cyd')::int AS made`,
    [workspace.id],
  );
  expect(rows[0]?.made).toBe(0);
});

test('addresses are masked for whoever may not read contacts; whoever may not read flows asks in vain', async () => {
  const { body } = await ask({ flowId, from }, 'simulating-marketer@example.com');
  const [email] = body.data.simulateFlow.sample;
  expect([email.to, JSON.stringify(email)]).toEqual(['a***@e***.com', expect.not.stringContaining('ada@')]);
  const refused = await ask({ flowId, from }, 'simulating-viewer@example.com');
  expect(refused.body.errors[0].extensions.code).toBe('missing_permission');
});

test('a draft is tried by itself, or in the place of a flow', async () => {
  const draft = {
    name: 'Shorter',
    triggerEvent: 'signed_up',
    contentType: 'transactional',
    triggerConditions: { plan: 'free' },
    steps: [{ type: 'wait', duration: '1h' }],
  };
  for (const named of [{}, { flowId }]) {
    const { body } = await ask({ ...named, draft, from });
    expect(body.data.simulateFlow).toMatchObject({
      flowVersion: null,
      flowName: 'Shorter',
      events: { read: 4, seen: 4, matched: 0, leftOut: [{ reason: 'conditions_do_not_match', events: 4 }] },
      trips: { started: 0 },
      sample: [],
    });
  }
});

test('earlier trips count for re-entry, unless the simulation begins afresh', async () => {
  const { rows } = await admin.query<{ id: string }>(
    `SELECT id FROM contacts WHERE workspace_id = $1 AND external_id = 'ada'`,
    [workspace.id],
  );
  await admin.query(
    `INSERT INTO trips (workspace_id, id, environment, flow_id, flow_version, contact_id, trigger_event_id, status, last_step,
       started_at, updated_at, completed_at)
     VALUES ($1, gen_random_uuid(), 'live', $2, 1, $3, gen_random_uuid(), 'completed', 0, $4, $4, $4)`,
    [workspace.id, flowId, rows[0]?.id, new Date(from.getTime() - DAY)],
  );
  const started = async (fresh: boolean): Promise<number> =>
    (await ask({ flowId, from, fresh })).body.data.simulateFlow.trips.started;
  expect([await started(false), await started(true)]).toEqual([2, 3]);
});

test.each([
  ['neither a flow nor a draft', () => ({ from }), 'invalid_field'],
  ['a flow that is none', () => ({ flowId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0', from }), 'flow_not_found'],
  [
    'a period of the future',
    () => ({ flowId, from, to: new Date(app.clock.now().getTime() + HOUR) }),
    'invalid_field',
  ],
  ['a period that ends before it begins', () => ({ flowId, from, to: from }), 'invalid_field'],
  [
    'a period of too many days',
    () => ({ flowId, from: new Date(from.getTime() - 93 * DAY) }),
    'invalid_field',
  ],
])('refused: %s', async (_, variables, code) => {
  const { body } = await ask(variables());
  expect(body.errors[0].extensions.code).toBe(code);
});

const manner = { showsPeople: true, time: NO_TIME_LIMITS };
const simulationRequest = (): SimulationRequest => ({ flowId, draft: null, from, to: null, isFresh: true });

test('one whose time is over answers how far it has come', async () => {
  const scope = { workspaceId: workspace.id, environment: 'live' } as const;
  const simulations = app.app.get(FlowSimulationService, { strict: false });
  const time = { maxMs: 0, maxMsWhileAwaited: 0 };
  const simulation = await simulations.simulate(scope, simulationRequest(), { showsPeople: true, time });
  expect(simulation).toMatchObject({
    complete: false,
    to: app.clock.now(),
    until: new Date(from.getTime() + HOUR),
    events: { read: 1 },
    trips: { started: 1, waiting: 1, heldBack: 0 },
    tripsByDay: [{ day: day(0), started: 1, inFlight: 1 }],
  });
});

test('who finds others simulating waits for a turn; a workspace has one line of one', async () => {
  const simulations = app.app.get(FlowSimulationService, { strict: false });
  const others = [await app.workspace(), await app.workspace()];
  const simulate = ({ id: workspaceId }: TestWorkspace): Promise<FlowSimulation> => {
    const draft = newFlow({ triggerEvent: 'signed_up', steps: [] });
    const scope = { workspaceId, environment: 'test' } as const;
    return simulations.simulate(scope, { ...simulationRequest(), flowId: null, draft }, manner);
  };
  // Queries of events now wait for the lock.
  await admin.query('BEGIN; LOCK TABLE events');
  const first = [workspace, ...others].map(simulate);
  const second = simulate(workspace);
  const third = await Promise.allSettled([simulate(workspace)]);
  expect(third).toMatchObject([{ reason: { code: 'rate_limit_exceeded', fields: { retry_after: 10 } } }]);
  await admin.query('COMMIT');
  for (const simulation of await Promise.all([...first, second])) expect(simulation.complete).toBe(true);
});

test('refused: too many events', async () => {
  const scope = { workspaceId: workspace.id, environment: 'test' } as const;
  const simulations = app.app.get(FlowSimulationService, { strict: false });
  await admin.query(
    `INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, occurred_at, received_at)
     SELECT $1, ($2 || lpad(to_hex(i), 12, '0'))::uuid, 'test', 'p', 'signed_up', '{}', $3, $3 FROM generate_series(1, 100001) i`,
    [workspace.id, `${uuidPrefix(from)}-7000-8000-`, from],
  );
  await expect(simulations.simulate(scope, simulationRequest(), manner)).rejects.toMatchObject({
    code: 'simulation_too_large',
    detail: expect.stringContaining('choose a shorter period'),
  });
});

/** The first 48 bits of ids generated at this moment. */
function uuidPrefix(moment: Date): string {
  const digits = moment.getTime().toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

test('the command line answers the same, under the names of REST', async () => {
  const world = {
    config: app.config,
    now: () => new Date(),
    readText: () => Promise.reject(new Error('No file is read.')),
    ...UNWATCHED,
    readInput: () => Promise.resolve(Buffer.alloc(0)),
    migrate: () => Promise.resolve([]),
    withServices: <Result>(work: (services: TestApp['app']) => Promise<Result>) => work(app.app),
  };
  const run = (...args: string[]): Promise<any> =>
    runCommand(['flow:simulate', '--workspace', workspace.id, '--flow', flowId, ...args], world);
  expect(await run('--from', day(-1), '--fresh')).toMatchObject({
    flow_name: 'Onboarding',
    trips: { started: 3, held_back: 0 },
    sends_by_step_and_day: [{ step_id: 1, sent: 1 }, { step_id: 4 }],
    sample: [{ subject: 'Hi Ada' }, { subject: 'Still there?' }],
    approximations: expect.arrayContaining([
      { code: 'sent_at_once', description: APPROXIMATIONS.sent_at_once },
    ]),
  });
  await expect(run('--from', 'yesterday')).rejects.toMatchObject({ code: 'invalid_date_param' });
});
