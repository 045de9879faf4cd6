/** The version history of flows, sections 2.4, 3.2 and 4.2: what is stored, and how a version is restored. */
import type { Answer } from '../support/app.js';
import { flowsFixture, UNKNOWN_ID } from '../support/flows-fixture.js';
import { until } from '../support/until.js';

const fixture = flowsFixture();
const { call, act } = fixture;

const FIRST = {
  name: 'First',
  description: 'As it was',
  trigger_event: 'signed_up',
  trigger_conditions: { plan: 'pro' },
  content_type: 'transactional',
  steps: [{ type: 'wait', duration: '90d' }],
  tags: ['a'],
  settings: { reentry_policy: 'cooldown', reentry_cooldown_days: 3 },
};
const SECOND = {
  name: 'Second',
  description: '',
  trigger_event: 'paid',
  trigger_conditions: {},
  content_type: 'promotional',
  steps: [],
  tags: [],
  settings: {},
};

const restore = (id: string, version: number | string, body?: unknown): Promise<Answer> =>
  call('POST', `/${id}/versions/${version}/restore`, body);

/** Creates a flow as FIRST, changes it to SECOND, then applies the actions. */
async function changed(...actions: string[]): Promise<string> {
  const { body } = await call('POST', '', FIRST);
  expect((await call('PUT', `/${body.id}`, SECOND)).status).toBe(200);
  for (const action of actions) expect((await act(body.id, action)).status).toBe(200);
  return body.id as string;
}

/** Creates a flow as FIRST with a version 1, paused with a trip in flight in the key's environment. */
async function withTrip(key: string): Promise<string> {
  const { body } = await call('POST', '', { ...FIRST, trigger_conditions: {} });
  await act(body.id, 'activate');
  const headers = { 'x-workspace-id': fixture.workspace.id, 'x-api-key': key };
  await fixture.app.request('POST', '/v1/events', { external_id: 'ada', event_name: 'signed_up' }, headers);
  await until('the trip waits', async () => {
    const answer = await fixture.app.request('GET', `/v1/flows/${body.id}/trips`, undefined, headers);
    return answer.body.total === 1;
  });
  await call('PUT', `/${body.id}`, { name: 'Second' });
  await act(body.id, 'pause');
  return body.id as string;
}

describe('list and get', () => {
  test('snapshots come newest first; of one number the latest is found', async () => {
    const id = await changed('activate', 'stop');
    await call('PUT', `/${id}`, { name: 'Third' });
    const { status, body } = await call('GET', `/${id}/versions`);
    expect(status).toBe(200);
    expect(
      body.map((version: any) => [
        version.version,
        version.name,
        version.status_at_snapshot,
        version.change_summary,
      ]),
    ).toEqual([
      [2, 'Second', 'stopped', null],
      [2, 'Second', 'active', 'Flow stopped'],
      [1, 'First', 'draft', null],
    ]);
    expect((await call('GET', `/${id}/versions/2`)).body).toEqual(body[0]);
    expect((await call('GET', `/${id}/versions/1`)).body).toEqual(body[2]);
    expect(body[2]).toMatchObject({ ...FIRST, flow_id: id });
  });

  test('a flow that never changed has none', async () => {
    const { body } = await call('POST', '', FIRST);
    expect((await call('GET', `/${body.id}/versions`)).body).toEqual([]);
  });

  test.each(['3', '0', '-1', '1.5', '01', 'one', '99999999999'])(
    'version %s is not found',
    async (version) => {
      const id = await changed();
      const answer = await call('GET', `/${id}/versions/${version}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'flow_version_not_found']);
    },
  );

  test('many large ones are answered as a whole', async () => {
    const steps = Array(9).fill({ type: 'update_contact', set: { text: 'x'.repeat(50_000) } });
    const { body } = await call('POST', '', { ...FIRST, steps });
    for (let i = 0; i < 30; i++) await call('PUT', `/${body.id}`, {});
    const list = await call('GET', `/${body.id}/versions`);
    expect(list.body.map(({ version }: any) => version)).toEqual(
      Array.from({ length: 30 }, (_, i) => 30 - i),
    );
    expect(list.body.every((version: any) => version.steps.length === 9)).toBe(true);
  });
});

describe('restore', () => {
  test.each([
    ['draft', []],
    ['paused', ['activate', 'pause']],
    ['stopped', ['activate', 'stop']],
  ])('of a %s flow brings the version back, keeps what was and the status', async (status, actions) => {
    const id = await changed(...actions);
    fixture.app.clock.wind(1_000);
    const answer = await restore(id, 1);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      ...FIRST,
      status,
      version: 3,
      updated_at: fixture.app.clock.now().toISOString(),
    });
    expect((await call('GET', `/${id}`)).body).toEqual(answer.body);
    const [kept] = (await call('GET', `/${id}/versions`)).body;
    expect(kept).toMatchObject({
      name: 'Second',
      version: 2,
      status_at_snapshot: status,
      change_summary: 'Restored version 1',
    });
  });

  test('a summary of its own is kept, null is as good as none, and a body need not be', async () => {
    const summary = async (body: unknown): Promise<string> => {
      const id = await changed();
      expect((await restore(id, 1, body)).status).toBe(200);
      return (await call('GET', `/${id}/versions`)).body[0].change_summary as string;
    };
    expect(await summary({ change_summary: 'Back again', force: false })).toBe('Back again');
    expect(await summary({ change_summary: null })).toBe('Restored version 1');
    expect(await summary({})).toBe('Restored version 1');
  });

  test('may go back and forth', async () => {
    const id = await changed();
    expect((await restore(id, 1)).body).toMatchObject({ name: 'First', version: 3 });
    expect((await restore(id, 2)).body).toMatchObject({ name: 'Second', version: 4 });
    expect((await restore(id, 3)).body).toMatchObject({ name: 'First', version: 5 });
  });

  test('first: an active flow is 400, whatever else is wrong, and force does not help', async () => {
    const id = await changed('activate');
    for (const version of [1, 99, 'nonsense'])
      for (const body of [{ force: true }, { force: 'yes' }, [], { colour: 'red' }]) {
        const answer = await restore(id, version, body);
        expect([answer.status, answer.body.code]).toEqual([400, 'validation_error']);
        expect(answer.body.detail).toContain('The flow is active');
      }
    expect((await call('GET', `/${id}`)).body).toMatchObject({ name: 'Second', version: 2 });
  });

  test('second: an unknown version is 404, also under trips in flight', async () => {
    const id = await withTrip(fixture.workspace.key);
    for (const force of [false, true]) {
      const answer = await restore(id, 99, { force });
      expect([answer.status, answer.body.code]).toEqual([404, 'flow_version_not_found']);
    }
    expect((await restore(id, 99, { force: 'yes' })).status).toBe(404);
    expect((await restore(UNKNOWN_ID, 1, { force: 'yes' })).body.code).toBe('flow_not_found');
  });

  test('then the body is read, before the trips are counted', async () => {
    const answer = await restore(await withTrip(fixture.workspace.key), 1, { force: 'yes' });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [{ field: 'force', message: 'must be true or false' }],
    ]);
  });

  test('third: trips in flight are 409 with their number, until the flow is stopped', async () => {
    const id = await withTrip(fixture.workspace.key);
    const answer = await restore(id, 1);
    expect([answer.status, answer.body]).toEqual([
      409,
      {
        detail: {
          code: 'flow_has_inflight_trips',
          message:
            '1 trip is in flight: stop the flow first (activate a paused flow before stopping it), or send force: true.',
          inflight_count: 1,
        },
        request_id: expect.any(String),
      },
    ]);
    expect((await call('GET', `/${id}`)).body).toMatchObject({ name: 'Second', version: 2 });
    await act(id, 'activate');
    await act(id, 'stop');
    expect((await restore(id, 1)).status).toBe(200);
  });

  test('third: with force the version comes back, and the trip stays as it is', async () => {
    const id = await withTrip(fixture.workspace.key);
    const trips = async (): Promise<unknown> => (await call('GET', `/${id}/trips`)).body;
    const before = await trips();
    expect((await restore(id, 1, { force: true })).body).toMatchObject({ name: 'First', version: 3 });
    expect(await trips()).toEqual(before);
  });

  test('trips of the other environment, of other flows and of other workspaces are not in the way', async () => {
    const id = await withTrip(fixture.workspace.testKey);
    await withTrip(fixture.workspace.key);
    const headers = { 'x-api-key': fixture.workspace.testKey };
    const inTest = await fixture.workspace.call('POST', `/v1/flows/${id}/versions/1/restore`, {}, headers);
    expect(inTest.body.detail.inflight_count).toBe(1);
    expect((await restore(id, 1)).status).toBe(200);
  });

  test('fourth: settings of a version that are not valid any more are 422, after the trips', async () => {
    const id = await changed();
    await fixture.admin.query(
      `UPDATE flow_versions SET settings = settings || '{"reentry_cooldown_days": null, "throttle_limit": 0}' WHERE flow_id = $1`,
      [id],
    );
    const answer = await restore(id, 1, { force: true });
    expect([answer.status, answer.body.code, answer.body.errors.map(({ field }: any) => field)]).toEqual([
      422,
      'invalid_field',
      ['settings.reentry_cooldown_days', 'settings.throttle_limit'],
    ]);
    expect((await call('GET', `/${id}/versions`)).body).toHaveLength(1);

    const busy = await withTrip(fixture.workspace.key);
    await fixture.admin.query(
      `UPDATE flow_versions SET settings = settings || '{"reentry_cooldown_days": null}' WHERE flow_id = $1`,
      [busy],
    );
    expect((await restore(busy, 1)).status).toBe(409);
    expect((await restore(busy, 1, { force: true })).status).toBe(422);
  });

  test.each([
    [{ force: 'yes' }, 'force'],
    [{ force: null }, 'force'],
    [{ change_summary: 7 }, 'change_summary'],
    [{ change_summary: 'x'.repeat(501) }, 'change_summary'],
    [{ colour: 'red' }, 'colour'],
  ])('%j is refused with 422', async (body, field) => {
    const answer = await restore(await changed(), 1, body);
    expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([
      422,
      'invalid_field',
      field,
    ]);
  });

  test('of ten at once each makes a version', async () => {
    const id = await changed();
    const answers = await Promise.all(Array.from({ length: 10 }, () => restore(id, 1)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.map(({ body }) => body.version as number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 10 }, (_, i) => i + 3),
    );
  });

  test('the audience stays', async () => {
    const made = await fixture.workspace.graphql(
      `mutation { createSegment(input: { name: "All", match: "all", conditions: [] }) { id } }`,
    );
    const segment_id: string = made.body.data.createSegment.id;
    const id = await changed();
    await call('PUT', `/${id}`, { segment_id });
    expect((await restore(id, 1)).body).toMatchObject({ name: 'First', segment_id });
  });
});

test('what is unknown, archived or of another workspace is 404', async () => {
  const [mine, archived] = [await changed(), await changed()];
  await fixture.admin.query(`UPDATE flows SET status = 'archived' WHERE id = $1`, [archived]);
  const other = await fixture.app.workspace();
  for (const [of, id] of [
    [fixture.workspace, UNKNOWN_ID],
    [fixture.workspace, 'nonsense'],
    [fixture.workspace, archived],
    [other, mine],
  ] as const)
    for (const answer of [
      await of.call('GET', `/v1/flows/${id}/versions`),
      await of.call('GET', `/v1/flows/${id}/versions/1`),
      await of.call('POST', `/v1/flows/${id}/versions/1/restore`, { force: true }),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'flow_not_found']);
});

describe('GraphQL', () => {
  const ask = async (query: string, variables: object): Promise<any> =>
    (await fixture.workspace.graphql(query, variables)).body;

  test('lists versions by pages, shows one, and restores by the same rules', async () => {
    const id = await changed('activate', 'stop');
    const list = `query ($id: ID!, $after: String) {
      flowVersions(flowId: $id, first: 1, after: $after) {
        totalCount pageInfo { hasNextPage endCursor } edges { node { version name statusAtSnapshot } }
      } }`;
    const first = (await ask(list, { id })).data.flowVersions;
    expect(first).toMatchObject({
      totalCount: 2,
      pageInfo: { hasNextPage: true },
      edges: [{ node: { version: 2, name: 'Second', statusAtSnapshot: 'active' } }],
    });
    const second = (await ask(list, { id, after: first.pageInfo.endCursor })).data.flowVersions;
    expect(second).toMatchObject({
      pageInfo: { hasNextPage: false },
      edges: [{ node: { version: 1, name: 'First' } }],
    });
    const one =
      'query ($id: ID!, $v: Int!) { flowVersion(flowId: $id, version: $v) { name steps { type duration } settings { reentryPolicy } } }';
    expect((await ask(one, { id, v: 1 })).data.flowVersion).toEqual({
      name: 'First',
      steps: [{ type: 'wait', duration: '90d' }],
      settings: { reentryPolicy: 'cooldown' },
    });
    expect((await ask(one, { id, v: 9 })).errors[0].extensions.code).toBe('flow_version_not_found');
    const back = await ask(
      'mutation ($id: ID!) { restoreFlowVersion(id: $id, version: 1, input: { changeSummary: "Back" }) { name version status } }',
      { id },
    );
    expect(back.data.restoreFlowVersion).toEqual({ name: 'First', version: 3, status: 'stopped' });
  });

  test('tells how many trips are in the way', async () => {
    const id = await withTrip(fixture.workspace.key);
    const query =
      'mutation ($id: ID!, $input: RestoreFlowInput!) { restoreFlowVersion(id: $id, version: 1, input: $input) { version } }';
    const { errors } = await ask(query, { id, input: {} });
    expect(errors[0].extensions).toMatchObject({
      code: 'flow_has_inflight_trips',
      status: 409,
      inflight_count: 1,
    });
    expect((await ask(query, { id, input: { force: true } })).data.restoreFlowVersion).toEqual({
      version: 3,
    });
  });
});
