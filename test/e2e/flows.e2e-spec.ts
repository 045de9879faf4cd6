/** Creating and reading flows over HTTP: sections 2.3 and 4.2. */
import { flowsFixture, LEAST_FLOW, UNKNOWN_ID } from '../support/flows-fixture.js';

const fixture = flowsFixture();
const { create, get, act, flow } = fixture;

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
      created_at: fixture.app.clock.now().toISOString(),
      updated_at: fixture.app.clock.now().toISOString(),
    });
  });

  test('keeps everything that it is given', async () => {
    const given = {
      ...LEAST_FLOW,
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
    const answer = await fixture.app.request('POST', '/v1/flows', LEAST_FLOW, {
      authorization: `Bearer ${fixture.workspace.ownerToken}`,
      'x-workspace-id': fixture.workspace.id,
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
    fixture.workspace = await fixture.app.workspace({ plan: 'free' });
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
    const id = await flow({}, 'activate');
    const other = await fixture.app.workspace();
    expect((await other.call('GET', `/v1/flows/${id}`)).status).toBe(404);
    expect((await other.call('POST', `/v1/flows/${id}/stop`)).status).toBe(404);
    expect((await get(id)).body.status).toBe('active');
  });

  test('an archived flow is not found', async () => {
    const id = await flow();
    await fixture.admin.query(`UPDATE flows SET status = 'archived' WHERE id = $1`, [id]);
    expect((await get(id)).body.code).toBe('flow_not_found');
  });
});
