/** Flows over HTTP and GraphQL: every rule of sections 2.3, 3.2 and 4.2 that this release keeps. */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
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

const LEAST = { name: 'Onboarding', trigger_event: 'signed_up', content_type: 'transactional' };
const UNKNOWN_ID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface';

const create = (more: object = {}): Promise<Answer> =>
  workspace.call('POST', '/v1/flows', { ...LEAST, ...more });
const act = (id: string, action: string): Promise<Answer> =>
  workspace.call('POST', `/v1/flows/${id}/${action}`);
const get = (id: string): Promise<Answer> => workspace.call('GET', `/v1/flows/${id}`);

async function withTemplate(slug: string, bodyHtml = '<p>Hi</p>', more: object = {}): Promise<void> {
  const answer = await workspace.call('POST', '/v1/templates', {
    name: slug,
    slug,
    body_html: bodyHtml,
    ...more,
  });
  expect(answer.status).toBe(201);
}

/** A flow in the status that the actions lead to. */
async function flowAfter(...actions: string[]): Promise<string> {
  const { body } = await create();
  for (const action of actions) expect((await act(body.id, action)).status).toBe(200);
  return body.id as string;
}

const WITHIN = 'steps[0].branches[0].steps[0].';
const within = (steps: readonly object[]): object[] => [{ type: 'conditional_split', branches: [{ steps }] }];
const waits = (count: number): object[] =>
  Array.from({ length: count }, () => ({ type: 'wait', duration: '1h' }));

describe('create', () => {
  test('answers 201 with the full flow: a draft of version 1 with its defaults', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Onboarding',
      description: '',
      trigger_event: 'signed_up',
      trigger_conditions: {},
      segment_id: null,
      steps: [],
      content_type: 'transactional',
      status: 'draft',
      version: 1,
      tags: [],
      settings: {
        reentry_policy: 'never',
        reentry_cooldown_days: null,
        throttle_enabled: false,
        throttle_limit: null,
        throttle_period: null,
      },
      created_by: expect.stringMatching(/^api_key:/),
      created_at: app.clock.now().toISOString(),
      updated_at: app.clock.now().toISOString(),
    });
  });

  test('keeps everything that it is given', async () => {
    const given = {
      ...LEAST,
      description: 'Greets',
      trigger_conditions: { plan: 'pro', seats: 3 },
      content_type: 'promotional',
      tags: ['a', 'b "quoted"'],
      settings: { reentry_policy: 'cooldown', reentry_cooldown_days: 7 },
      steps: [
        {
          type: 'send_email',
          template_slug: 'welcome',
          subject: 'Hi',
          email_send_settings: { ignore_dnd: true },
        },
        { type: 'wait', duration: '1d' },
        { type: 'update_contact', set: { onboarded: true, first_name: 'Ada' } },
      ],
    };
    const created = await create(given);
    const { settings, ...rest } = given;
    expect(created.body).toMatchObject(rest);
    expect(created.body.settings).toMatchObject(settings);
    expect((await get(created.body.id)).body).toEqual(created.body);
  });

  test('names the member who made it', async () => {
    const answer = await app.request('POST', '/v1/flows', LEAST, {
      authorization: `Bearer ${workspace.ownerToken}`,
      'x-workspace-id': workspace.id,
    });
    expect([answer.status, answer.body.created_by]).toEqual([201, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  test.each(['name', 'trigger_event', 'content_type'])(
    'refuses a body without %s with 400',
    async (field) => {
      const answer = await create({ [field]: undefined });
      expect([answer.status, answer.body.code, answer.body.errors?.[0]?.field]).toEqual([
        400,
        'validation_error',
        field,
      ]);
    },
  );

  test('refuses an event name that is not lower snake case with 400 invalid_event_name', async () => {
    const answer = await create({ trigger_event: 'SignedUp' });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_event_name']);
  });

  test.each([
    ['a bad duration', { steps: [{ type: 'wait', duration: '10 minutes' }] }, 'steps[0].duration'],
    ['an unknown step type', { steps: [{ type: 'send_fax' }] }, 'steps[0].type'],
    ['a condition without a check', { steps: [{ type: 'condition' }] }, 'steps[0].check'],
    [
      'variants that do not sum to 100',
      { steps: [{ type: 'ab_split', variants: ['A', 'B'].map((name) => ({ name, percentage: 40 })) }] },
      'steps[0].variants',
    ],
    ['a step within a branch', { steps: within([{ type: 'wait', duration: '1y' }]) }, WITHIN + 'duration'],
    ['201 steps, those within splits included', { steps: within(waits(200)) }, 'steps'],
    [
      'steps too deep within each other',
      { steps: within(within(within(within(within(waits(1)))))) },
      WITHIN.replace(/\.$/, '') + '.branches[0].steps[0]'.repeat(4),
    ],
    ['a send_email step without a template', { steps: [{ type: 'send_email' }] }, 'steps[0].template_slug'],
    [
      'an update_contact step that sets external_id',
      { steps: [{ type: 'update_contact', set: { external_id: 'x' } }] },
      'steps[0].set.external_id',
    ],
    [
      'a do-not-disturb rule that is no flag',
      { steps: [{ type: 'send_email', template_slug: 'a', email_send_settings: { ignore_dnd: 'no' } }] },
      'steps[0].email_send_settings.ignore_dnd',
    ],
    [
      'a send window without its ends',
      {
        steps: [
          { type: 'send_email', template_slug: 'a', email_send_settings: { send_window_enabled: true } },
        ],
      },
      'steps[0].email_send_settings.send_window_start',
    ],
    [
      'cooldown without its days',
      { settings: { reentry_policy: 'cooldown' } },
      'settings.reentry_cooldown_days',
    ],
    [
      'cooldown of no days',
      { settings: { reentry_policy: 'cooldown', reentry_cooldown_days: 0 } },
      'settings.reentry_cooldown_days',
    ],
    ['a throttle without its limit', { settings: { throttle_enabled: true } }, 'settings.throttle_limit'],
    ['tags that are no texts', { tags: [7] }, 'tags'],
    ['a content type that does not exist', { content_type: 'spam' }, 'content_type'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['a status', { status: 'active' }, 'status'],
  ])('refuses %s with 422 and names the field', async (_name, more, field) => {
    const answer = await create(more);
    expect([answer.status, answer.body.code, answer.body.errors?.[0]?.field]).toEqual([
      422,
      'invalid_field',
      field,
    ]);
  });

  test('takes half a megabyte of a flow, and not more, however its steps are cut', async () => {
    const step = { type: 'update_contact', set: { text: 'x'.repeat(50_000) } };
    expect((await create({ steps: Array(10).fill(step) })).status).toBe(201);
    const { status, body } = await create({ steps: Array(11).fill(step) });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'invalid_field', errors: [{ field: 'steps' }] });
  });

  test('does not ask whether templates exist', async () => {
    expect((await create({ steps: [{ type: 'send_email', template_slug: 'unknown' }] })).status).toBe(201);
  });

  test("of twelve at once, the free plan's five are made and the others get plan_limit_reached", async () => {
    workspace = await app.workspace({ plan: 'free' });
    const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 403);
    expect(refused).toHaveLength(7);
    expect(refused[0]?.body).toMatchObject({
      code: 'plan_limit_reached',
      limit_type: 'flows',
      current: 5,
      maximum: 5,
      plan: 'free',
    });
  });
});

describe('get', () => {
  test.each([UNKNOWN_ID, 'nonsense'])('answers 404 flow_not_found for %s', async (id) => {
    for (const answer of [
      await get(id),
      await act(id, 'activate'),
      await act(id, 'pause'),
      await act(id, 'stop'),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'flow_not_found']);
  });

  test("answers 404 for another workspace's flow, whatever is asked of it", async () => {
    const id = await flowAfter('activate');
    const other = await app.workspace();
    expect((await other.call('GET', `/v1/flows/${id}`)).status).toBe(404);
    expect((await other.call('POST', `/v1/flows/${id}/stop`)).status).toBe(404);
    expect((await get(id)).body.status).toBe('active');
  });

  test('an archived flow is not found', async () => {
    const id = await flowAfter();
    await admin.query(`UPDATE flows SET status = 'archived' WHERE id = $1`, [id]);
    expect((await get(id)).body.code).toBe('flow_not_found');
  });
});

describe('transitions', () => {
  test.each([
    ['draft', [], 'activate', 'active'],
    ['paused', ['activate', 'pause'], 'activate', 'active'],
    ['stopped', ['activate', 'stop'], 'activate', 'active'],
    ['active', ['activate'], 'pause', 'paused'],
    ['active', ['activate'], 'stop', 'stopped'],
  ])('%s %j: %s leads to %s', async (_status, before, action, next) => {
    const id = await flowAfter(...before);
    app.clock.wind(1_000);
    const answer = await act(id, action);
    expect([answer.status, answer.body.status, answer.body.version]).toEqual([200, next, 1]);
    expect(answer.body.updated_at).toBe(app.clock.now().toISOString());
    expect((await get(id)).body).toEqual(answer.body);
  });

  test.each([
    ['active', ['activate'], 'activate'],
    ['draft', [], 'pause'],
    ['paused', ['activate', 'pause'], 'pause'],
    ['stopped', ['activate', 'stop'], 'pause'],
    ['draft', [], 'stop'],
    ['paused', ['activate', 'pause'], 'stop'],
    ['stopped', ['activate', 'stop'], 'stop'],
  ])('%s %j: %s is refused with 400 and changes nothing', async (status, before, action) => {
    const id = await flowAfter(...before);
    const answer = await act(id, action);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_error']);
    expect((await get(id)).body.status).toBe(status);
  });
});

describe('activate', () => {
  test('refuses missing templates and those with syntax errors with 422 and names them', async () => {
    await withTemplate('good');
    await withTemplate('broken', '<p>{if the A exists}</p>');
    const steps = ['good', 'broken', 'missing', 'broken'].map((slug) => ({
      type: 'send_email',
      template_slug: slug,
    }));
    const { body } = await create({ steps });
    const answer = await act(body.id, 'activate');
    expect([answer.status, answer.body.code]).toEqual([422, 'template_errors']);
    expect(answer.body.templates).toMatchObject([
      {
        slug: 'broken',
        reason: 'syntax_errors',
        steps: [1, 3],
        findings: [{ severity: 'error', line: 1, column: 4 }],
      },
      { slug: 'missing', reason: 'not_found', steps: [2], findings: [] },
    ]);
    const fields = (errors: { field: string }[]): string[] => errors.map(({ field }) => field);
    const steps132 = (name: string): string[] => [1, 3, 2].map((step) => `steps[${step}].${name}`);
    expect(fields(answer.body.errors)).toEqual(steps132('template_slug'));
    expect(answer.body.templates[0].findings[0]).toMatchObject({
      field: 'body_html',
      block_text: '{if the A exists}',
    });
    const byGraphql = await workspace.graphql('mutation ($id: ID!) { activateFlow(id: $id) { id } }', {
      id: body.id,
    });
    const [{ extensions }] = byGraphql.body.errors;
    expect(fields(extensions.errors)).toEqual(steps132('templateSlug'));
    expect(extensions.templates[0].findings[0]).toMatchObject({
      field: 'bodyHtml',
      blockText: '{if the A exists}',
    });
    expect((await get(body.id)).body.status).toBe('draft');
  });

  test('refuses a step whose own subject has a syntax error', async () => {
    await withTemplate('good');
    const { body } = await create({
      steps: [{ type: 'send_email', template_slug: 'good', subject: '{end if}' }],
    });
    expect((await act(body.id, 'activate')).body.code).toBe('template_errors');
  });

  test('lets warnings pass', async () => {
    await withTemplate('loud', '{the Note, as "html"}');
    const { body } = await create({ steps: [{ type: 'send_email', template_slug: 'loud' }] });
    expect((await act(body.id, 'activate')).status).toBe(200);
  });

  test('does not take a template of another workspace for its own', async () => {
    const other = await app.workspace();
    await other.call('POST', '/v1/templates', { name: 'a', slug: 'theirs', body_html: 'x' });
    const { body } = await create({ steps: [{ type: 'send_email', template_slug: 'theirs' }] });
    expect((await act(body.id, 'activate')).status).toBe(422);
  });

  test('a flow without steps may be active', async () => {
    expect((await get(await flowAfter('activate'))).body.status).toBe('active');
  });
});

describe('trips', () => {
  const signUp = (externalId: string, key = workspace.key): Promise<Answer> =>
    app.request(
      'POST',
      '/v1/events',
      { external_id: externalId, event_name: 'signed_up' },
      { 'x-workspace-id': workspace.id, 'x-api-key': key },
    );
  const tripsOf = async (
    id: string,
    key = workspace.key,
  ): Promise<{ external_id: string; status: string }[]> =>
    (
      await app.request('GET', `/v1/flows/${id}/trips`, undefined, {
        'x-workspace-id': workspace.id,
        'x-api-key': key,
      })
    ).body.trips;
  const pendingEvents = async (): Promise<number> => {
    const { rows } = await admin.query(
      'SELECT 1 FROM events WHERE workspace_id = $1 AND processed_at IS NULL',
      [workspace.id],
    );
    return rows.length;
  };

  async function waitingFlow(): Promise<string> {
    const { body } = await create({ steps: [{ type: 'wait', duration: '1d' }] });
    await act(body.id, 'activate');
    return body.id as string;
  }

  test('stop keeps a version first and ends the trips of both environments', async () => {
    const id = await waitingFlow();
    await signUp('live-one');
    await signUp('test-one', workspace.testKey);
    await until(
      'both trips wait',
      async () => (await tripsOf(id)).length + (await tripsOf(id, workspace.testKey)).length === 2,
    );
    const answer = await act(id, 'stop');
    expect([answer.status, answer.body.status]).toEqual([200, 'stopped']);
    for (const key of [workspace.key, workspace.testKey])
      expect(await tripsOf(id, key)).toMatchObject([{ status: 'terminated', ended_reason: 'flow_stopped' }]);
    const { rows } = await admin.query('SELECT * FROM flow_versions WHERE flow_id = $1', [id]);
    expect(rows).toMatchObject([
      {
        version: 1,
        name: 'Onboarding',
        status_at_snapshot: 'active',
        steps: [{ type: 'wait', duration: '1d' }],
        changed_by: expect.stringMatching(/^api_key:/),
        change_summary: 'Flow stopped',
      },
    ]);
  });

  test('pause starts no new trips and keeps those in flight', async () => {
    const id = await waitingFlow();
    await signUp('before');
    await until('the trip waits', async () => (await tripsOf(id)).length === 1);
    await act(id, 'pause');
    await signUp('after');
    await until('the event is processed', async () => (await pendingEvents()) === 0);
    expect(await tripsOf(id)).toMatchObject([{ external_id: 'before', status: 'paused' }]);
    const { rows } = await admin.query('SELECT 1 FROM flow_versions WHERE flow_id = $1', [id]);
    expect(rows).toHaveLength(0);
  });

  test("a list counts the trips of the caller's environment", async () => {
    const id = await flowAfter('activate');
    for (const contact of ['a', 'b']) await signUp(contact);
    await until('both trips are over', async () => (await tripsOf(id)).length === 2);
    const live = await workspace.call('GET', '/v1/flows');
    expect(live.body.flows).toMatchObject([{ id, trips_started: 2, trips_completed: 2 }]);
    const headers = { 'x-workspace-id': workspace.id, 'x-api-key': workspace.testKey };
    const test = await app.request('GET', '/v1/flows', undefined, headers);
    expect(test.body.flows).toMatchObject([{ id, trips_started: 0, trips_completed: 0 }]);
  });
});

describe('list', () => {
  interface Listed {
    readonly name: string;
  }
  const names = async (query: string): Promise<string[]> =>
    (await workspace.call('GET', `/v1/flows?${query}`)).body.flows.map(({ name }: Listed) => name);

  /** Four flows a minute apart: draft, active, paused, stopped. */
  async function fourFlows(): Promise<void> {
    const flows = [
      { name: 'Draft 100%', tags: ['a'], actions: [] },
      { name: 'Active one', tags: ['a', 'b'], actions: ['activate'] },
      { name: 'Paused ONE', content_type: 'promotional', actions: ['activate', 'pause'] },
      { name: 'Stopped', content_type: 'promotional', actions: ['activate', 'stop'] },
    ];
    for (const { actions, ...flow } of flows) {
      const { body } = await create(flow);
      for (const action of actions) await act(body.id, action);
      app.clock.wind(60_000);
    }
  }

  test('answers flows with counts, total, limit and offset, the most recently updated first', async () => {
    await fourFlows();
    const { status, body } = await workspace.call('GET', '/v1/flows');
    expect(status).toBe(200);
    expect(body.flows.map(({ name }: Listed) => name)).toEqual([
      'Stopped',
      'Paused ONE',
      'Active one',
      'Draft 100%',
    ]);
    expect(body).toMatchObject({
      counts: { all: 4, active: 1, paused: 1, draft: 1, stopped: 1 },
      total: 4,
      limit: 50,
      offset: 0,
    });
    expect(Object.keys(body.counts)).toHaveLength(5);
    const { trips_started: started, trips_completed: completed, ...flow } = body.flows[0];
    expect([started, completed]).toEqual([0, 0]);
    expect((await get(flow.id)).body).toEqual(flow);
  });

  test('filters', async () => {
    const start = app.clock.now().getTime();
    await fourFlows();
    const minute = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();
    expect(await names('search=one')).toEqual(['Paused ONE', 'Active one']);
    expect(await names('search=100%25')).toEqual(['Draft 100%']);
    expect(await names('search=_')).toEqual([]);
    expect(await names('status_filter=draft')).toEqual(['Draft 100%']);
    expect(await names('status_filter=archived')).toEqual([]);
    expect(await names('content_type=promotional')).toEqual(['Stopped', 'Paused ONE']);
    expect(await names('tag=b')).toEqual(['Active one']);
    expect(await names('tag=B')).toEqual([]);
    expect(await names(`created_after=${minute(1.5)}`)).toEqual(['Stopped', 'Paused ONE']);
    expect(await names(`created_before=${minute(0.5)}`)).toEqual(['Draft 100%']);
    expect(await names(`updated_after=${minute(2.5)}`)).toEqual(['Stopped']);
    expect(await names(`updated_before=${minute(1.5)}&tag=a`)).toEqual(['Active one', 'Draft 100%']);
  });

  test('total counts the whole filter, counts leave the status aside', async () => {
    await fourFlows();
    const { body } = await workspace.call('GET', '/v1/flows?status_filter=paused&content_type=promotional');
    expect(body).toMatchObject({ counts: { all: 2, active: 0, paused: 1, draft: 0, stopped: 1 }, total: 1 });
  });

  test('goes by pages', async () => {
    await fourFlows();
    const { body } = await workspace.call('GET', '/v1/flows?limit=2&offset=1');
    expect(body).toMatchObject({ total: 4, limit: 2, offset: 1 });
    expect(body.flows.map(({ name }: Listed) => name)).toEqual(['Paused ONE', 'Active one']);
  });

  test('hides archived flows unless they are asked for', async () => {
    const id = await flowAfter();
    await admin.query(`UPDATE flows SET status = 'archived' WHERE id = $1`, [id]);
    const { body } = await workspace.call('GET', '/v1/flows');
    expect(body).toMatchObject({ flows: [], counts: { all: 0 }, total: 0 });
    expect(await names('status_filter=archived')).toEqual(['Onboarding']);
  });

  test('shows nothing of another workspace', async () => {
    await fourFlows();
    const other = await app.workspace();
    expect((await other.call('GET', '/v1/flows')).body).toMatchObject({
      flows: [],
      counts: { all: 0 },
      total: 0,
    });
  });

  test.each([
    ['limit=201', 'limit'],
    ['limit=0', 'limit'],
    ['limit=many', 'limit'],
    ['offset=-1', 'offset'],
    ['status_filter=asleep', 'status_filter'],
    ['content_type=spam', 'content_type'],
    ['created_after=yesterday', 'created_after'],
    ['updated_before=2026-13-01', 'updated_before'],
  ])('refuses %s with 422', async (query, field) => {
    const { status, body } = await workspace.call('GET', `/v1/flows?${query}`);
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([422, 'invalid_field', field]);
  });
});

describe('GraphQL', () => {
  test('creates, activates, pauses and stops by the same rules, and shows flows in camel case', async () => {
    await withTemplate('welcome');
    const flow = 'id status version createdBy settings { reentryPolicy reentryCooldownDays }';
    const steps =
      'steps { type templateSlug subject duration set emailSendSettings { ignoreDnd sendToUnsubscribed } }';
    const created = await workspace.graphql(
      `mutation ($input: CreateFlowInput!) { createFlow(input: $input) { ${flow} ${steps} triggerConditions } }`,
      {
        input: {
          name: 'Onboarding',
          triggerEvent: 'signed_up',
          contentType: 'transactional',
          triggerConditions: { plan: 'pro' },
          settings: { reentryPolicy: 'cooldown', reentryCooldownDays: 3 },
          steps: [
            { type: 'send_email', templateSlug: 'welcome', emailSendSettings: { ignoreDnd: true } },
            { type: 'wait', duration: '1d' },
            { type: 'update_contact', set: { onboarded: true } },
          ],
        },
      },
    );
    expect(created.body.errors).toBeUndefined();
    const { id, ...rest } = created.body.data.createFlow;
    const none = { templateSlug: null, subject: null, duration: null, set: null, emailSendSettings: null };
    expect(rest).toEqual({
      status: 'draft',
      version: 1,
      createdBy: expect.any(String),
      settings: { reentryPolicy: 'cooldown', reentryCooldownDays: 3 },
      triggerConditions: { plan: 'pro' },
      steps: [
        {
          ...none,
          type: 'send_email',
          templateSlug: 'welcome',
          emailSendSettings: { ignoreDnd: true, sendToUnsubscribed: null },
        },
        { ...none, type: 'wait', duration: '1d' },
        { ...none, type: 'update_contact', set: { onboarded: true } },
      ],
    });
    for (const [mutation, status] of [
      ['activateFlow', 'active'],
      ['pauseFlow', 'paused'],
      ['activateFlow', 'active'],
      ['stopFlow', 'stopped'],
    ]) {
      const { body } = await workspace.graphql(`mutation ($id: ID!) { ${mutation}(id: $id) { status } }`, {
        id,
      });
      expect(body.data?.[mutation!]).toEqual({ status });
    }
    const list = await workspace.graphql(
      `{ flows(filter: { search: "onb", status: "stopped" }) { edges { tripsStarted node { id name } } counts { all stopped } totalCount } }`,
    );
    expect(list.body.data.flows).toEqual({
      edges: [{ node: { id, name: 'Onboarding' }, tripsStarted: 0 }],
      counts: { all: 1, stopped: 1 },
      totalCount: 1,
    });
    const one = await workspace.graphql(`query ($id: ID!) { flow(id: $id) { name } }`, { id });
    expect(one.body.data.flow).toEqual({ name: 'Onboarding' });
  });

  test('steps within steps are JSON in the names of REST, with their ids', async () => {
    const check = { source: 'latest_event', event_name: 'order_placed', exists: true };
    const message = {
      type: 'send_email',
      template_slug: 'welcome',
      email_send_settings: { ignore_dnd: true },
    };
    const created = await workspace.graphql(
      `mutation ($input: CreateFlowInput!) { createFlow(input: $input) {
        id steps { id type check onTrue onFalse branches variants } } }`,
      {
        input: {
          name: 'Branches',
          triggerEvent: 'signed_up',
          contentType: 'promotional',
          steps: [
            { type: 'condition', check, onFalse: 'skip_to_end' },
            {
              type: 'conditional_split',
              branches: [{ check, steps: [message] }, { on_true: 'skip_to_end' }],
            },
            { type: 'wait', duration: '30m' },
          ],
        },
      },
    );
    expect(created.body.errors).toBeUndefined();
    const none = { check: null, onTrue: null, onFalse: null, branches: null, variants: null };
    const { id, steps } = created.body.data.createFlow;
    expect(steps).toEqual([
      { ...none, id: 1, type: 'condition', check, onTrue: 'continue', onFalse: 'skip_to_end' },
      {
        ...none,
        id: 2,
        type: 'conditional_split',
        branches: [{ check, steps: [{ ...message, id: 3 }] }, { on_true: 'skip_to_end' }],
      },
      { ...none, id: 4, type: 'wait' },
    ]);
    const shown = (await workspace.call('GET', `/v1/flows/${id}`)).body.steps;
    expect(shown[1]).toEqual({
      type: 'conditional_split',
      branches: [{ check, steps: [message] }, { on_true: 'skip_to_end' }],
    });
    const refused = await workspace.graphql(
      'mutation ($input: CreateFlowInput!) { createFlow(input: $input) { id } }',
      {
        input: {
          name: 'Branches',
          triggerEvent: 'signed_up',
          contentType: 'promotional',
          steps: [{ type: 'condition', onTrue: 'stop', check: { ...check, event_name: 7 } }],
        },
      },
    );
    expect(refused.body.errors[0].extensions.errors.map(({ field }: any) => field)).toEqual([
      'steps[0].check.event_name',
      'steps[0].onTrue',
    ]);
  });

  test.each([
    ['{ flow(id: "nonsense") { id } }', 'flow_not_found'],
    ['mutation { pauseFlow(id: "nonsense") { id } }', 'flow_not_found'],
    [
      'mutation { createFlow(input: { name: "a", triggerEvent: "Bad", contentType: "transactional" }) { id } }',
      'invalid_event_name',
    ],
    [
      'mutation { createFlow(input: { name: "a", triggerEvent: "a", contentType: "transactional", steps: [{ type: "wait", duration: "x" }] }) { id } }',
      'invalid_field',
    ],
    ['{ flows(first: 1000) { totalCount } }', 'invalid_field'],
    ['{ flows(filter: { status: "asleep" }) { totalCount } }', 'invalid_field'],
    ['{ flows(filter: { search: "\\u0000" }) { totalCount } }', 'invalid_field'],
  ])('%s: %s', async (query, code) => {
    const { body } = await workspace.graphql(query);
    expect(body.errors[0].extensions.code).toBe(code);
  });
});
