/** Changing flows, sections 2.3, 3.2 and 4.2: over HTTP, by the dashboard, and by concurrent callers. */
import type { Answer } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { flowsFixture, LEAST_FLOW, UNKNOWN_ID } from '../support/flows-fixture.js';
import { until } from '../support/until.js';

const fixture = flowsFixture();
const { create, get, put, flow, segment } = fixture;

const FULL = {
  ...LEAST_FLOW,
  description: 'Greets',
  trigger_conditions: { plan: 'pro' },
  steps: [{ type: 'wait', duration: '1d' }],
  tags: ['a', 'b'],
  settings: {
    reentry_policy: 'cooldown',
    reentry_cooldown_days: 3,
    throttle_enabled: false,
    throttle_limit: null,
    throttle_period: null,
  },
};

const versions = async (id: string): Promise<any[]> =>
  (await fixture.workspace.call('GET', `/v1/flows/${id}/versions`)).body;

describe('update', () => {
  test('changes what is given, keeps the rest and what was before, and makes the next version', async () => {
    const { body: before } = await create(FULL);
    fixture.app.clock.wind(1_000);
    const answer = await put(before.id, { name: 'Renamed', change_summary: 'Better name' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...before,
      name: 'Renamed',
      version: 2,
      updated_at: fixture.app.clock.now().toISOString(),
    });
    expect((await get(before.id)).body).toEqual(answer.body);
    const { id, status, created_by: _by, segment_id: _segment, updated_at: _at, ...content } = before;
    expect(await versions(id)).toEqual([
      {
        ...content,
        id: expect.any(String),
        flow_id: id,
        version: 1,
        status_at_snapshot: status,
        changed_by: expect.stringMatching(/^api_key:/),
        change_summary: 'Better name',
        created_at: fixture.app.clock.now().toISOString(),
      },
    ]);
  });

  test('changes every field that can be created', async () => {
    const id = await flow();
    const change = {
      ...FULL,
      name: 'All of it',
      trigger_event: 'paid',
      content_type: 'promotional',
      segment_id: await segment(),
    };
    expect((await put(id, change)).body).toMatchObject({ ...change, version: 2 });
    const cleared = { description: '', trigger_conditions: {}, steps: [], tags: [], segment_id: null };
    expect((await put(id, cleared)).body).toMatchObject({ ...cleared, name: 'All of it', version: 3 });
  });

  test('settings are replaced as a whole', async () => {
    const id = await flow(FULL);
    const { body } = await put(id, { settings: { reentry_policy: 'always' } });
    expect(body.settings).toEqual({
      ...FULL.settings,
      reentry_policy: 'always',
      reentry_cooldown_days: null,
    });
  });

  test('an update of nothing makes a version, too', async () => {
    const id = await flow();
    expect((await put(id, {})).body.version).toBe(2);
    expect(await versions(id)).toMatchObject([{ version: 1, change_summary: null }]);
  });

  test.each([
    ['draft', []],
    ['active', ['activate']],
    ['paused', ['activate', 'pause']],
    ['stopped', ['activate', 'stop']],
  ])('a flow that is %s may be changed and stays so', async (status, actions) => {
    const id = await flow({}, ...actions);
    expect((await put(id, { name: 'New' })).body).toMatchObject({ status, version: 2 });
    expect((await versions(id))[0]).toMatchObject({ status_at_snapshot: status });
  });

  test.each([
    [
      'a bad duration',
      { steps: [{ type: 'wait', duration: 'soon' }] },
      422,
      'invalid_field',
      'steps[0].duration',
    ],
    ['a name of null', { name: null }, 422, 'invalid_field', 'name'],
    ['an empty name', { name: '' }, 422, 'invalid_field', 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 422, 'invalid_field', 'name'],
    [
      'a summary of 501 characters',
      { change_summary: 'x'.repeat(501) },
      422,
      'invalid_field',
      'change_summary',
    ],
    ['an unknown field', { status: 'active' }, 422, 'invalid_field', 'status'],
    ['a tag of 256 characters', { tags: ['x'.repeat(256)] }, 422, 'invalid_field', 'tags'],
    ['too many tags', { tags: Array(101).fill('x') }, 422, 'invalid_field', 'tags'],
    ['a segment that is no UUID', { segment_id: 'nonsense' }, 422, 'invalid_field', 'segment_id'],
    [
      'cooldown without days',
      { settings: { reentry_policy: 'cooldown' } },
      422,
      'invalid_field',
      'settings.reentry_cooldown_days',
    ],
    ['a bad event name', { trigger_event: 'SignedUp' }, 400, 'invalid_event_name', 'trigger_event'],
  ])('refuses %s and changes nothing', async (_name, change, status, code, field) => {
    const id = await flow();
    const answer = await put(id, change);
    expect([answer.status, answer.body.code, answer.body.errors?.[0]?.field]).toEqual([status, code, field]);
    expect((await get(id)).body.version).toBe(1);
    expect(await versions(id)).toEqual([]);
  });

  test('refuses a flow that would become too large', async () => {
    const step = { type: 'update_contact', set: { text: 'x'.repeat(50_000) } };
    const id = await flow({ steps: Array(10).fill(step) });
    const { status, body } = await put(id, { description: 'x'.repeat(50_000) });
    expect([status, body.errors?.[0]?.field]).toEqual([422, 'steps']);
  });

  test('new steps of an active flow need templates that can be sent, those of others do not', async () => {
    const steps = [{ type: 'send_email', template_slug: 'missing' }];
    const active = await flow({}, 'activate');
    const answer = await put(active, { steps });
    expect([answer.status, answer.body.code]).toEqual([422, 'template_errors']);
    expect((await get(active)).body.version).toBe(1);
    expect((await put(await flow(), { steps })).status).toBe(200);
  });

  test('of twenty at once each makes a version, and none is lost', async () => {
    const id = await flow();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => put(id, { name: `Name ${i}`, change_summary: `Change ${i}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const numbers = answers.map(({ body }) => body.version as number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => i + 2));
    const kept = await versions(id);
    expect(kept.map(({ version }) => version)).toEqual(Array.from({ length: 20 }, (_, i) => 20 - i));
    expect(new Set(kept.map(({ change_summary: summary }) => summary)).size).toBe(20);
    // Each snapshot contains the result of the change before it.
    const named = new Map(answers.map(({ body }) => [body.version, body.name]));
    for (const { version, name } of kept)
      expect(name).toBe(version === 1 ? 'Onboarding' : named.get(version));
  });

  test('trips in flight stay on their version, new ones take the new one', async () => {
    const id = await flow(
      { settings: { reentry_policy: 'always' }, steps: [{ type: 'wait', duration: '1d' }] },
      'activate',
    );
    const trips = async (): Promise<any[]> =>
      (await fixture.workspace.call('GET', `/v1/flows/${id}/trips`)).body.trips;
    const signUp = (who: string): Promise<Answer> =>
      fixture.workspace.call('POST', '/v1/events', { external_id: who, event_name: 'signed_up' });
    await signUp('old');
    await until('the first trip waits', async () => (await trips()).length === 1);
    await put(id, {
      steps: [
        { type: 'wait', duration: '1d' },
        { type: 'wait', duration: '5d' },
      ],
    });
    await signUp('new');
    await until('the second trip waits', async () => (await trips()).length === 2);
    fixture.app.clock.wind(DAY);
    await until('the first trip is over', async () =>
      (await trips()).some(({ status }) => status === 'completed'),
    );
    await until('the second trip waits again', async () =>
      (await trips()).some(({ current_step: step, status }) => status === 'paused' && step === 2),
    );
    const byContact = Object.fromEntries((await trips()).map((trip) => [trip.external_id, trip]));
    expect(byContact).toMatchObject({
      old: { flow_version: 1, status: 'completed' },
      new: { flow_version: 2, status: 'paused' },
    });
  });
});

describe('segment', () => {
  test('of the workspace is taken; an unknown one, and one of another fixture.workspace, is 404', async () => {
    const [own, other] = [await segment(), await fixture.app.workspace()];
    const theirs = await segment(other);
    const made = await create({ segment_id: own.toUpperCase() });
    expect([made.status, made.body.segment_id]).toEqual([201, own]);
    for (const id of [UNKNOWN_ID, theirs])
      for (const answer of [await create({ segment_id: id }), await put(made.body.id, { segment_id: id })])
        expect([answer.status, answer.body.code]).toEqual([404, 'segment_not_found']);
    expect((await get(made.body.id)).body).toMatchObject({ segment_id: own, version: 1 });
  });

  test('in a check, at any depth, is one of the fixture.workspace, else 422 that names it', async () => {
    const own = await segment();
    const asks = (id: string): object => ({ source: 'segment', segment_id: id, member: true });
    const steps = (...ids: string[]): object[] => [
      { type: 'condition', check: asks(ids[0] ?? own) },
      {
        type: 'conditional_split',
        branches: [
          { check: asks(ids[1] ?? own), steps: [{ type: 'condition', check: asks(ids[2] ?? own) }] },
        ],
      },
    ];
    const id = await flow({ steps: steps(own.toUpperCase()) });
    for (const other of [UNKNOWN_ID, await segment(await fixture.app.workspace())])
      for (const answer of [
        await create({ steps: steps(own, other, other.toUpperCase()) }),
        await put(id, { steps: steps(own, other, other.toUpperCase()) }),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([422, 'invalid_field']);
        expect(answer.body.errors).toEqual(
          ['steps[1].branches[0].check.segment_id', 'steps[1].branches[0].steps[0].check.segment_id'].map(
            (field) => ({ field, message: 'refers to a segment that does not exist' }),
          ),
        );
      }
    expect((await get(id)).body.version).toBe(1);
  });

  test('the dashboard finds the flows of a segment', async () => {
    const own = await segment();
    const id = await flow({ segment_id: own });
    await flow({ name: 'Other' });
    const { body } = await fixture.workspace.graphql(
      'query ($id: ID!) { flows(filter: { segmentId: $id }) { totalCount edges { node { id segmentId } } } }',
      { id: own },
    );
    expect(body.data.flows).toEqual({ totalCount: 1, edges: [{ node: { id, segmentId: own } }] });
  });
});

describe('settings', () => {
  const putSettings = (id: string, body: unknown): Promise<Answer> =>
    fixture.workspace.call('PUT', `/v1/flows/${id}/settings`, body);

  test('are replaced alone: the version stays, and none is kept', async () => {
    const { body: before } = await create(FULL);
    fixture.app.clock.wind(1_000);
    const answer = await putSettings(before.id, { settings: { reentry_policy: 'always' } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...before,
      settings: { ...FULL.settings, reentry_policy: 'always', reentry_cooldown_days: null },
      updated_at: fixture.app.clock.now().toISOString(),
    });
    expect((await get(before.id)).body).toEqual(answer.body);
    expect(await versions(before.id)).toEqual([]);
  });

  test('of an active flow count for the next event', async () => {
    const id = await flow({}, 'activate');
    const started = async (): Promise<number> =>
      (await fixture.workspace.call('GET', '/v1/flows')).body.flows[0].trips_started as number;
    const signUp = (): Promise<Answer> =>
      fixture.workspace.call('POST', '/v1/events', { external_id: 'ada', event_name: 'signed_up' });
    await signUp();
    await until('the trip has started', async () => (await started()) === 1);
    expect((await putSettings(id, { settings: { reentry_policy: 'always' } })).status).toBe(200);
    await signUp();
    await until('the next trip has started', async () => (await started()) === 2);
  });

  test.each([
    [{}, 400, 'validation_error', 'settings'],
    [{ settings: 7 }, 422, 'invalid_field', 'settings'],
    [{ settings: { colour: 'red' } }, 422, 'invalid_field', 'settings.colour'],
    [{ settings: { reentry_policy: 'sometimes' } }, 422, 'invalid_field', 'settings.reentry_policy'],
    [{ settings: { reentry_policy: 'cooldown' } }, 422, 'invalid_field', 'settings.reentry_cooldown_days'],
    [{ settings: { throttle_limit: 0 } }, 422, 'invalid_field', 'settings.throttle_limit'],
    [{ settings: { throttle_period: 'week' } }, 422, 'invalid_field', 'settings.throttle_period'],
    [{ settings: {}, name: 'x' }, 422, 'invalid_field', 'name'],
  ])('%j is refused', async (body, status, code, field) => {
    const id = await flow();
    const answer = await putSettings(id, body);
    expect([answer.status, answer.body.code, answer.body.errors?.[0]?.field]).toEqual([status, code, field]);
  });
});

test('what is unknown, archived or of another workspace is 404 for every change, and stays as it is', async () => {
  const [mine, archived] = [await flow(), await flow()];
  await fixture.admin.query(`UPDATE flows SET status = 'archived' WHERE id = $1`, [archived]);
  const other = await fixture.app.workspace();
  for (const [of, id] of [
    [fixture.workspace, UNKNOWN_ID],
    [fixture.workspace, 'nonsense'],
    [fixture.workspace, archived],
    [other, mine],
  ] as const)
    for (const [method, path, body] of [
      ['PUT', '', { name: 'x' }],
      ['PUT', '/settings', { settings: {} }],
      ['POST', '/duplicate', undefined],
    ] as const) {
      const answer = await of.call(method, `/v1/flows/${id}${path}`, body);
      expect([id, path, answer.status, answer.body.code]).toEqual([id, path, 404, 'flow_not_found']);
    }
  expect((await get(mine)).body).toMatchObject({ name: 'Onboarding', version: 1 });
});

test('the dashboard changes flows by the same rules', async () => {
  const id = await flow(FULL);
  const ask = async (query: string, variables: object = {}): Promise<any> =>
    (await fixture.workspace.graphql(query, { id, ...variables })).body;
  const updated = await ask(
    `mutation ($id: ID!, $input: UpdateFlowInput!) {
       updateFlow(id: $id, input: $input) { name version steps { type duration } settings { reentryPolicy } }
     }`,
    { input: { steps: [{ type: 'wait', duration: '2d' }], changeSummary: 'Longer' } },
  );
  expect(updated.data.updateFlow).toEqual({
    name: 'Onboarding',
    version: 2,
    steps: [{ type: 'wait', duration: '2d' }],
    settings: { reentryPolicy: 'cooldown' },
  });
  const refused = await ask(
    'mutation ($id: ID!) { updateFlowSettings(id: $id, settings: { reentryPolicy: "cooldown" }) { id } }',
  );
  expect(refused.errors[0].extensions).toMatchObject({
    code: 'invalid_field',
    errors: [{ field: 'settings.reentryCooldownDays' }],
  });
  const settings = await ask(
    'mutation ($id: ID!) { updateFlowSettings(id: $id, settings: { reentryPolicy: "always" }) { version settings { reentryPolicy reentryCooldownDays } } }',
  );
  expect(settings.data.updateFlowSettings).toEqual({
    version: 2,
    settings: { reentryPolicy: 'always', reentryCooldownDays: null },
  });
  const copy = await ask('mutation ($id: ID!) { duplicateFlow(id: $id) { name status version } }');
  expect(copy.data.duplicateFlow).toEqual({ name: 'Onboarding (Copy)', status: 'draft', version: 1 });
});
