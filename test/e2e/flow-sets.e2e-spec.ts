/** Operations on many flows, section 4.2: bulk actions, export and tags; and archived flows. */
import type { Answer } from '../support/app.js';
import { flowsFixture, LEAST_FLOW, UNKNOWN_ID } from '../support/flows-fixture.js';
import { until } from '../support/until.js';

const fixture = flowsFixture();
const { call, flow } = fixture;

const statusOf = async (id: string): Promise<string> => (await call('GET', `/${id}`)).body.status as string;
const bulk = (flow_ids: unknown, action: unknown): Promise<Answer> =>
  call('POST', '/bulk-action', { flow_ids, action });

describe('bulk action', () => {
  test.each([
    ['activate', [['draft'], ['paused', 'activate', 'pause'], ['stopped', 'activate', 'stop']], 'active'],
    ['pause', [['active', 'activate']], 'paused'],
    ['stop', [['active', 'activate']], 'stopped'],
  ])('%s takes flows from where it may', async (action, starts, next) => {
    const ids: string[] = [];
    for (const [, ...actions] of starts) ids.push(await flow({}, ...actions));
    const { status, body } = await bulk(ids, action);
    expect([status, body]).toEqual([200, { success: ids.length, failed: 0, errors: [] }]);
    for (const id of ids) expect(await statusOf(id)).toBe(next);
  });

  test('flows in the wrong status, with bad templates, unknown, archived and of others fail, and harm no other', async () => {
    const good = [await flow(), await flow()];
    const active = await flow({}, 'activate');
    const broken = await flow({ steps: [{ type: 'send_email', template_slug: 'missing' }] });
    const archived = await flow();
    await fixture.admin.query(`UPDATE flows SET status = 'archived' WHERE id = $1`, [archived]);
    const other = await fixture.app.workspace();
    const theirs = (await other.call('POST', '/v1/flows', LEAST_FLOW)).body.id as string;
    const ids = [good[0], active, broken, UNKNOWN_ID, archived, theirs, good[1]];
    const { status, body } = await bulk(ids, 'activate');
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: 2, failed: 5 });
    expect(body.errors).toEqual([
      { flow_id: active, code: 'validation_error', detail: expect.stringMatching(/is active/), errors: [] },
      {
        flow_id: broken,
        code: 'template_errors',
        detail: expect.stringMatching(/missing/),
        errors: [{ field: 'steps[0].template_slug', message: expect.any(String) }],
      },
      ...[UNKNOWN_ID, archived, theirs].map((flow_id) => ({
        flow_id,
        code: 'flow_not_found',
        detail: expect.any(String),
        errors: [],
      })),
    ]);
    for (const id of good) expect(await statusOf(id)).toBe('active');
    expect(await statusOf(broken)).toBe('draft');
    expect((await other.call('GET', `/v1/flows/${theirs}`)).body.status).toBe('draft');
  });

  test('a flow that is named twice is taken once', async () => {
    const id = await flow();
    expect((await bulk([id, id.toUpperCase()], 'activate')).body).toEqual({
      success: 1,
      failed: 0,
      errors: [],
    });
  });

  test('stop keeps a version of each flow and ends its trips', async () => {
    const id = await flow({ steps: [{ type: 'wait', duration: '90d' }] }, 'activate');
    await fixture.workspace.call('POST', '/v1/events', { external_id: 'ada', event_name: 'signed_up' });
    await until('the trip waits', async () => (await call('GET', `/${id}/trips`)).body.total === 1);
    await bulk([id], 'stop');
    expect((await call('GET', `/${id}/trips`)).body.trips[0].completed_at).not.toBeNull();
    expect((await call('GET', `/${id}/versions`)).body).toMatchObject([{ change_summary: 'Flow stopped' }]);
  });

  test('a hundred flows are taken, of more none is touched', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 101; i++) ids.push(await flow());
    const answer = await bulk(ids, 'activate');
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        detail: expect.any(String),
        code: 'too_long',
        errors: [{ field: 'flow_ids', message: 'must contain 1 to 100 items' }],
        request_id: expect.any(String),
      },
    ]);
    expect((await call('GET', '?status_filter=active')).body.total).toBe(0);
    expect((await bulk(ids.slice(1), 'activate')).body).toEqual({ success: 100, failed: 0, errors: [] });
  });

  test.each([
    ['none', [], 'activate', 422, 'too_short', 'flow_ids'],
    ['none, and another action', [], 'archive', 422, 'too_short', 'flow_ids'],
    ['none, and no action', [], undefined, 422, 'too_short', 'flow_ids'],
    ['too many, and another action', Array(101).fill('x'), 'archive', 422, 'too_long', 'flow_ids'],
    ['no list', 'x', 'activate', 422, 'invalid_field', 'flow_ids'],
    ['what is no UUID', [UNKNOWN_ID, 'x'], 'activate', 422, 'invalid_field', 'flow_ids[1]'],
    ['another action', [UNKNOWN_ID], 'archive', 422, 'invalid_field', 'action'],
    ['no ids', undefined, 'activate', 400, 'validation_error', 'flow_ids'],
    ['no action', [UNKNOWN_ID], undefined, 400, 'validation_error', 'action'],
  ])('%s is refused as a whole', async (_name, ids, action, status, code, field) => {
    const answer = await bulk(ids, action);
    expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([status, code, field]);
  });

  test('the dashboard acts by the same rules', async () => {
    const id = await flow();
    const { body } = await fixture.workspace.graphql(
      `mutation ($input: BulkFlowActionInput!) { bulkFlowAction(input: $input) { success failed errors { flowId code } } }`,
      { input: { flowIds: [id, UNKNOWN_ID], action: 'activate' } },
    );
    expect(body.data.bulkFlowAction).toEqual({
      success: 1,
      failed: 1,
      errors: [{ flowId: UNKNOWN_ID, code: 'flow_not_found' }],
    });
    const none = await fixture.workspace.graphql(
      'mutation { bulkFlowAction(input: { flowIds: [], action: "stop" }) { success } }',
    );
    expect(none.body.errors[0].extensions).toMatchObject({
      code: 'too_short',
      errors: [{ field: 'flowIds' }],
    });
  });
});

describe('export', () => {
  const HEADER = 'Name,Trigger Event,Content Type,Status,Version,Steps,Tags,Created,Updated';
  const csv = async (query = '', of = fixture.workspace): Promise<string[]> => {
    const { status, body, headers } = await of.call('GET', `/v1/flows/export${query}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const [header, ...lines] = (body as string).trimEnd().split('\n');
    expect(header).toBe(HEADER);
    return lines;
  };
  const names = async (query: string): Promise<string[]> =>
    (await csv(query)).map((line) => line.split(',')[0] ?? '');

  test('has the columns in their order, the most recently updated flow first, formulas disarmed', async () => {
    const made = fixture.app.clock.now().toISOString();
    const first = await flow({
      name: '=HYPERLINK("x")',
      tags: ['a', 'b "quoted"'],
      steps: [
        { type: 'wait', duration: '1d' },
        { type: 'wait', duration: '2d' },
      ],
    });
    await flow({ name: 'Plain', content_type: 'promotional', tags: ['+1'] });
    fixture.app.clock.wind(60_000);
    await call('PUT', `/${first}`, {});
    const updated = fixture.app.clock.now().toISOString();
    expect(await csv()).toEqual([
      `"'=HYPERLINK(""x"")",signed_up,transactional,draft,2,2,"a, b ""quoted""",${made},${updated}`,
      `Plain,signed_up,promotional,draft,1,0,'+1,${made},${made}`,
    ]);
    const answer = await call('GET', '/export');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="flows.csv"');
  });

  test('filters; archived flows only when they are asked for', async () => {
    await flow({ name: 'Draft 100%' });
    fixture.app.clock.wind(1_000);
    await flow({ name: 'Active one', content_type: 'promotional' }, 'activate');
    fixture.app.clock.wind(1_000);
    const archived = await flow({ name: 'Archived one' });
    await fixture.admin.query(`UPDATE flows SET status = 'archived' WHERE id = $1`, [archived]);
    expect(await names('')).toEqual(['Active one', 'Draft 100%']);
    expect(await names('?status=archived')).toEqual(['Archived one']);
    expect(await names('?status=draft')).toEqual(['Draft 100%']);
    expect(await names('?status=paused')).toEqual([]);
    expect(await names('?search=ONE')).toEqual(['Active one']);
    expect(await names('?search=100%25')).toEqual(['Draft 100%']);
    expect(await names('?search=_')).toEqual([]);
    expect(await names(`?search=${encodeURIComponent(`\\' OR true`)}`)).toEqual([]);
    expect(await names('?content_type=promotional')).toEqual(['Active one']);
  });

  test('shows nothing of another workspace', async () => {
    await flow();
    expect(await csv('', await fixture.app.workspace())).toEqual([]);
  });

  test.each([
    ['status=asleep', 'status'],
    ['content_type=spam', 'content_type'],
    ['tag=a', 'tag'],
  ])('refuses %s with 422', async (query, field) => {
    const { status, body } = await call('GET', `/export?${query}`);
    expect([status, body.code, body.errors[0].field]).toEqual([422, 'invalid_field', field]);
  });
});

test('tags come each once and sorted, those of archived flows and of other workspaces do not', async () => {
  expect((await call('GET', '/tags')).body).toEqual([]);
  await flow({ tags: ['b', 'a'] });
  await flow({ tags: ['b', 'Z'] }, 'activate');
  const archived = await flow({ tags: ['gone'] });
  await fixture.admin.query(`UPDATE flows SET status = 'archived' WHERE id = $1`, [archived]);
  const { status, body } = await call('GET', '/tags');
  expect([status, [...body].sort()]).toEqual([200, ['Z', 'a', 'b']]);
  expect((await (await fixture.app.workspace()).call('GET', '/v1/flows/tags')).body).toEqual([]);
  const page = await fixture.workspace.graphql(
    '{ flowTags(first: 2) { edges { node } pageInfo { endCursor hasNextPage } } }',
  );
  const { edges, pageInfo } = page.body.data.flowTags;
  expect([edges.map(({ node }: any) => node), pageInfo.hasNextPage]).toEqual([body.slice(0, 2), true]);
  const rest = await fixture.workspace.graphql(
    'query ($after: String) { flowTags(first: 2, after: $after) { edges { node } pageInfo { hasNextPage } } }',
    { after: pageInfo.endCursor },
  );
  expect(rest.body.data.flowTags).toEqual({ edges: [{ node: body[2] }], pageInfo: { hasNextPage: false } });
});

describe('archive', () => {
  const archive = async (id: string, mutation = 'archiveFlow'): Promise<any> =>
    (
      await fixture.workspace.graphql(`mutation ($id: ID!) { ${mutation}(id: $id) { id status version } }`, {
        id,
      })
    ).body;

  test.each([
    ['draft', []],
    ['paused', ['activate', 'pause']],
    ['stopped', ['activate', 'stop']],
  ])('a %s flow goes, is found by its status alone, and comes back as it was', async (status, actions) => {
    const id = await flow({}, ...actions);
    const { body: before } = await call('GET', `/${id}`);
    fixture.app.clock.wind(1_000);
    expect((await archive(id)).data.archiveFlow).toEqual({ id, status: 'archived', version: 1 });
    expect((await call('GET', `/${id}`)).body.code).toBe('flow_not_found');
    expect((await call('GET', '')).body).toMatchObject({ total: 0, counts: { all: 0 } });
    expect((await call('GET', '?status_filter=archived')).body.flows).toMatchObject([{ id }]);
    expect((await archive(id)).errors[0].extensions.code).toBe('flow_not_found');
    expect((await archive(id, 'unarchiveFlow')).data.unarchiveFlow).toEqual({ id, status, version: 1 });
    const { updated_at: _at, ...rest } = before;
    expect((await call('GET', `/${id}`)).body).toMatchObject(rest);
    expect((await archive(id, 'unarchiveFlow')).errors[0].extensions.code).toBe('flow_not_found');
    expect((await call('GET', `/${id}/versions`)).body[0]).toMatchObject({
      change_summary: 'Flow archived',
      status_at_snapshot: status,
    });
  });

  test('an active flow stays', async () => {
    const id = await flow({}, 'activate');
    expect((await archive(id)).errors[0].extensions.code).toBe('validation_error');
    expect(await statusOf(id)).toBe('active');
  });

  test('a flow with trips in flight stays, whichever environment they are of', async () => {
    const id = await flow({ steps: [{ type: 'wait', duration: '90d' }] }, 'activate');
    const headers = { 'x-api-key': fixture.workspace.testKey };
    await fixture.workspace.call(
      'POST',
      '/v1/events',
      { external_id: 'ada', event_name: 'signed_up' },
      headers,
    );
    await until('the trip waits', async () => {
      const { body } = await fixture.workspace.call('GET', `/v1/flows/${id}/trips`, undefined, headers);
      return body.total === 1;
    });
    await call('POST', `/${id}/pause`);
    expect((await archive(id)).errors[0].extensions).toMatchObject({
      code: 'flow_has_inflight_trips',
      inflight_count: 1,
    });
    expect(await statusOf(id)).toBe('paused');
    // What the refusal advises: end the trips manually, each environment's by a caller of that environment.
    const end = 'mutation ($flow: ID!) { endTrips(input: { flowId: $flow }) { moved } }';
    const ended = await fixture.workspace.call(
      'POST',
      '/graphql',
      { query: end, variables: { flow: id } },
      headers,
    );
    expect(ended.body.data.endTrips).toEqual({ moved: 1 });
    expect((await archive(id)).data.archiveFlow.status).toBe('archived');
  });

  test('an archived flow makes room in the plan, and needs room to come back', async () => {
    fixture.workspace = await fixture.app.workspace({ plan: 'free' });
    const [first] = [await flow(), await flow(), await flow(), await flow(), await flow()];
    expect((await call('POST', '', LEAST_FLOW)).status).toBe(403);
    await archive(first);
    const sixth = await flow();
    expect((await archive(first, 'unarchiveFlow')).errors[0].extensions.code).toBe('plan_limit_reached');
    await archive(sixth);
    expect((await archive(first, 'unarchiveFlow')).data.unarchiveFlow.status).toBe('draft');
  });

  test('nobody archives for another workspace', async () => {
    const id = await flow();
    const other = await fixture.app.workspace();
    const query = 'mutation ($id: ID!) { archiveFlow(id: $id) { id } }';
    expect((await other.graphql(query, { id })).body.errors[0].extensions.code).toBe('flow_not_found');
    await archive(id);
    const back = 'mutation ($id: ID!) { unarchiveFlow(id: $id) { id } }';
    expect((await other.graphql(back, { id })).body.errors[0].extensions.code).toBe('flow_not_found');
  });
});

test('changes need flows:write, reading needs flows:read', async () => {
  fixture.workspace = await fixture.app.workspace({
    members: [
      { email: 'owner-of-sets@example.com', role: 'owner' },
      { email: 'viewer-of-sets@example.com', role: 'viewer' },
    ],
  });
  const id = await flow();
  const headers = {
    authorization: `Bearer ${await fixture.app.token('viewer-of-sets@example.com')}`,
    'x-workspace-id': fixture.workspace.id,
  };
  for (const [method, path, permission] of [
    ['PUT', `/${id}`, 'flows:write'],
    ['PUT', `/${id}/settings`, 'flows:write'],
    ['POST', `/${id}/duplicate`, 'flows:write'],
    ['POST', `/${id}/versions/1/restore`, 'flows:write'],
    ['POST', '/bulk-action', 'flows:write'],
    ['GET', `/${id}/versions`, 'flows:read'],
    ['GET', `/${id}/versions/1`, 'flows:read'],
    ['GET', '/export', 'flows:read'],
    ['GET', '/tags', 'flows:read'],
  ] as const) {
    const body = method === 'GET' ? undefined : {};
    const answer = await fixture.app.request(method, `/v1/flows${path}`, body, headers);
    expect([path, answer.status, answer.body]).toMatchObject([
      path,
      403,
      { reason: 'missing_permission', required_permission: permission },
    ]);
  }
});
