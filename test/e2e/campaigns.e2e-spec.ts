/**
 * Creating, reading, changing and copying campaigns over HTTP, sections 2.9, 3.3 and 4.5; and the same through GraphQL.
 */
import { campaignsFixture } from '../support/campaigns-fixture.js';
import { UNKNOWN_ID } from '../support/flows-fixture.js';

const fixture = campaignsFixture({ queues: [] });
const { call, create, get, patch, campaign, put, template, segment } = fixture;

/** Statuses of a campaign after its draft. */
const LATER = [
  'scheduled',
  'sending',
  'sent',
  'paused',
  'resumed',
  'cancelled',
  'ab_testing',
  'recurring',
  'stopped',
];
const AB_TEST = {
  variants: [{ name: 'A' }, { name: 'B', subject: 'Last call', sender_name: 'Acme Sales' }],
  metric: 'conversion_rate',
  goal: { event_name: 'order_placed', event_filters: { plan: 'pro', someKey: 1 }, window_hours: 24 },
};
const names = (body: any): string[] => body.campaigns.map(({ name }: { name: string }) => name);

describe('create', () => {
  test('needs a name and nothing else: 201 with a draft of which nothing is set', async () => {
    const { status, body } = await create();
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Spring sale',
        subject: null,
        template_id: null,
        segment_id: null,
        sender_name: null,
        sender_email: null,
        reply_to: null,
        status: 'draft',
        ab_test: null,
        recurrence: null,
        scheduled_at: null,
        local_time: false,
        max_per_hour: null,
        next_run_at: null,
        paused_reason: null,
        started_at: null,
        completed_at: null,
        audience_size: null,
        created_by: expect.stringMatching(/^[0-9a-f-]{36}$/),
        created_at: fixture.app.clock.now().toISOString(),
        updated_at: fixture.app.clock.now().toISOString(),
      },
    ]);
    expect((await get(body.id)).body).toEqual(body);
  });

  test('keeps everything that it is given', async () => {
    const given = {
      name: 'Spring "sale" 🌷',
      subject: '{the user\'s First Name, or "you"}, it is spring',
      template_id: await template(),
      segment_id: await segment(),
      sender_name: 'Acme',
      sender_email: 'hello@acme.test',
      reply_to: 'help@acme.test',
    };
    const made = await campaign({ ...given, ab_test: AB_TEST });
    expect(made).toMatchObject(given);
    expect(made.ab_test).toEqual({
      variants: [
        { name: 'A', subject: null, template_id: null, sender_name: null },
        { name: 'B', subject: 'Last call', template_id: null, sender_name: 'Acme Sales' },
      ],
      test_percentage: 20,
      metric: 'conversion_rate',
      goal: AB_TEST.goal,
      duration_hours: 4,
      send_winner: 'auto',
      holdout_percentage: 0,
    });
    expect((await get(made.id)).body).toEqual(made);
  });

  test('an id is the same in either letter case, and white space is no part of an address', async () => {
    const [templateId, segmentId] = [await template(), await segment()];
    const made = await campaign({
      template_id: templateId.toUpperCase(),
      segment_id: segmentId.toUpperCase(),
      sender_email: ' hello@acme.test ',
      reply_to: ' help@acme.test',
      ab_test: { variants: [{ name: 'A', template_id: templateId.toUpperCase() }, { name: 'B' }] },
    });
    expect(made).toMatchObject({
      template_id: templateId,
      segment_id: segmentId,
      sender_email: 'hello@acme.test',
      reply_to: 'help@acme.test',
    });
    expect(made.ab_test.variants[0].template_id).toBe(templateId);
  });

  test('without a name it is 400', async () => {
    const { status, body } = await create({ name: undefined });
    expect([status, body.code, body.errors[0].field]).toEqual([400, 'validation_error', 'name']);
  });

  test.each([
    ['an empty name', { name: '' }, 'name'],
    ['a name that nobody sees', { name: ' \t' }, 'name'],
    ['a name of 256 characters', { name: 'n'.repeat(256) }, 'name'],
    ['no name by null', { name: null }, 'name'],
    ['a subject of 256 characters', { subject: 's'.repeat(256) }, 'subject'],
    ['a sender name of 256 characters', { sender_name: 's'.repeat(256) }, 'sender_name'],
    ['a sender that is no address', { sender_email: 'acme.test' }, 'sender_email'],
    ['an empty sender', { sender_email: '' }, 'sender_email'],
    ['a reply address that is none', { reply_to: 'Help <help@acme.test>' }, 'reply_to'],
    ['a template that is no id', { template_id: 'welcome' }, 'template_id'],
    ['a segment that is no id', { segment_id: 7 }, 'segment_id'],
    ['a status', { status: 'sent' }, 'status'],
    ['a schedule', { scheduled_at: '2030-01-01T00:00:00Z' }, 'scheduled_at'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['one variant', { ab_test: { variants: [{ name: 'A' }] } }, 'ab_test.variants'],
    ['a variant without a name', { ab_test: { variants: [{}, { name: 'B' }] } }, 'ab_test.variants[0].name'],
    [
      'two variants of one name',
      { ab_test: { variants: [{ name: 'A' }, { name: 'A' }] } },
      'ab_test.variants',
    ],
    ['a metric that is none', { ab_test: { ...AB_TEST, metric: 'luck' } }, 'ab_test.metric'],
    ['conversions without a goal', { ab_test: { ...AB_TEST, goal: undefined } }, 'ab_test.goal'],
    [
      'a goal of an event that is none',
      { ab_test: { ...AB_TEST, goal: { event_name: 'Order placed', window_hours: 1 } } },
      'ab_test.goal.event_name',
    ],
    ['a hold-out of 21%', { ab_test: { ...AB_TEST, holdout_percentage: 21 } }, 'ab_test.holdout_percentage'],
  ])('refuses %s with 422 and names the field', async (_name, more, field) => {
    const { status, body } = await create(more);
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([422, 'invalid_field', field]);
  });

  test.each(['template_id', 'segment_id'])('an unknown %s is 404, and nothing is made', async (field) => {
    const { status, body } = await create({ [field]: UNKNOWN_ID });
    expect([status, body.code]).toEqual([404, field.replace('_id', '_not_found')]);
    expect((await call('GET', '')).body.total).toBe(0);
  });

  test("another workspace's template and segment are not there, also in a variant", async () => {
    const other = await fixture.app.workspace();
    const [templateId, segmentId] = [await template('<p>X</p>', {}, other), await segment([], other)];
    const variants = [{ name: 'A' }, { name: 'B', template_id: templateId }];
    for (const [more, code] of [
      [{ template_id: templateId }, 'template_not_found'],
      [{ segment_id: segmentId }, 'segment_not_found'],
      [{ ab_test: { variants } }, 'template_not_found'],
    ] as const)
      expect((await create(more)).body.code).toBe(code);
  });
});

describe('change', () => {
  test('takes what it is given, clears what is null, leaves the rest, and says when', async () => {
    const made = await campaign({ subject: 'Old', sender_name: 'Acme', ab_test: AB_TEST });
    fixture.app.clock.wind(1_000);
    const { status, body } = await patch(made.id, { name: 'New', subject: null, ab_test: null });
    expect([status, body]).toEqual([
      200,
      {
        ...made,
        ...{ name: 'New', subject: null, ab_test: null },
        updated_at: fixture.app.clock.now().toISOString(),
      },
    ]);
    expect((await get(made.id)).body).toEqual(body);
  });

  test('refuses what create refuses', async () => {
    const { id } = await campaign();
    for (const [more, status, code] of [
      [{ name: null }, 422, 'invalid_field'],
      [{ sender_email: 'nobody' }, 422, 'invalid_field'],
      [{ status: 'sent' }, 422, 'invalid_field'],
      [{ template_id: UNKNOWN_ID }, 404, 'template_not_found'],
      [{ segment_id: UNKNOWN_ID }, 404, 'segment_not_found'],
    ] as const) {
      const answer = await patch(id, more);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    }
  });

  test.each(LATER)(
    'one that is %s can neither be changed nor deleted: 400 invalid_status',
    async (status) => {
      const { id } = await campaign();
      await put(id, status);
      for (const answer of [
        await patch(id, { name: 'Other', segment_id: UNKNOWN_ID }),
        await call('DELETE', `/${id}`),
      ])
        expect([answer.status, answer.body]).toEqual([
          400,
          expect.objectContaining({ code: 'invalid_status', status, allowed_from: ['draft'] }),
        ]);
      expect((await get(id)).body).toMatchObject({ name: 'Spring sale', status });
    },
  );

  test('of changes at the same time none is lost', async () => {
    const { id } = await campaign();
    const changes = [{ name: 'N' }, { subject: 'S' }, { sender_name: 'F' }, { reply_to: 'r@acme.test' }];
    const answers = await Promise.all(changes.map((change) => patch(id, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await get(id)).body).toMatchObject(Object.assign({}, ...changes));
  });
});

test('a draft is deleted with 204, and from then on it is not there', async () => {
  const { id } = await campaign();
  const { status, body } = await call('DELETE', `/${id}`);
  expect([status, body]).toEqual([204, '']);
  for (const answer of [
    await get(id),
    await patch(id, {}),
    await call('DELETE', `/${id}`),
    await call('POST', `/${id}/duplicate`),
  ])
    expect([answer.status, answer.body.code]).toEqual([404, 'campaign_not_found']);
});

test.each([UNKNOWN_ID, 'nothing', '0'])('no campaign has the id %s', async (id) => {
  const { status, body } = await get(id);
  expect([status, body.code]).toEqual([404, 'campaign_not_found']);
});

describe('duplicate', () => {
  test.each(['draft', ...LATER])(
    'of one that is %s it makes a draft without its schedule',
    async (status) => {
      const made = await campaign({ subject: 'S', segment_id: await segment(), ab_test: AB_TEST });
      await fixture.admin.query(
        `UPDATE campaigns SET status = $2, scheduled_at = now(), scheduled_offset = 60, local_time = true, max_per_hour = 10,
         next_run_at = now(), started_at = now(), completed_at = now(), audience_size = 5, runs = 1, look_at = now(),
         paused_reason = 'plan_limit_reached', recurrence = '{"frequency": "daily"}'
       WHERE id = $1`,
        [made.id, status],
      );
      fixture.app.clock.wind(1_000);
      const copy = await call('POST', `/${made.id}/duplicate`);
      const now = fixture.app.clock.now().toISOString();
      expect([copy.status, copy.body]).toEqual([
        201,
        { ...made, id: copy.body.id, name: 'Spring sale (Copy)', created_at: now, updated_at: now },
      ]);
      expect(copy.body.id).not.toBe(made.id);
      const [row] = (
        await fixture.admin.query('SELECT runs, look_at FROM campaigns WHERE id = $1', [copy.body.id])
      ).rows;
      expect(row).toEqual({ runs: 0, look_at: null });
    },
  );

  test('cuts the name so that it fits, by characters', async () => {
    const { id } = await campaign({ name: '🌷'.repeat(255) });
    const { body } = await call('POST', `/${id}/duplicate`);
    expect(body.name).toBe(`${'🌷'.repeat(248)} (Copy)`);
  });

  test('names whoever copies as its maker', async () => {
    const { id } = await campaign();
    await fixture.admin.query(`UPDATE campaigns SET created_by = 'somebody' WHERE id = $1`, [id]);
    expect((await call('POST', `/${id}/duplicate`)).body.created_by).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('list', () => {
  async function three(): Promise<any[]> {
    const made: any[] = [];
    for (const name of ['banana', 'Apple', 'cherry 100%']) {
      made.push(await campaign({ name }));
      fixture.app.clock.wind(1_000);
    }
    return made;
  }

  test('shows the newest first, with counts of every status', async () => {
    const made = await three();
    await put(made[0].id, 'ab_testing');
    const { status, body } = await call('GET', '');
    const counts = { ...Object.fromEntries(LATER.map((one) => [one, 0])), all: 3, draft: 2, ab_testing: 1 };
    expect([status, { ...body, campaigns: names(body) }]).toEqual([
      200,
      { campaigns: ['cherry 100%', 'Apple', 'banana'], counts, total: 3, limit: 50, offset: 0 },
    ]);
    expect(body.campaigns[1]).toEqual(made[1]);
  });

  test.each([
    ['sort_by=name&sort_dir=asc', ['Apple', 'banana', 'cherry 100%']],
    ['sort_by=name', ['cherry 100%', 'banana', 'Apple']],
    ['sort_by=created_at&sort_dir=asc', ['banana', 'Apple', 'cherry 100%']],
    ['sort_by=updated_at', ['banana', 'cherry 100%', 'Apple']],
    ['sort_by=scheduled_at', ['Apple', 'cherry 100%', 'banana']],
    ['sort_by=scheduled_at&sort_dir=asc', ['cherry 100%', 'Apple', 'banana']],
    ['search=AN', ['banana']],
    ['search=0%25', ['cherry 100%']],
    ['search=_', []],
    ['status=scheduled', ['cherry 100%', 'Apple']],
    ['status=scheduled&search=app', ['Apple']],
    ['limit=1', ['cherry 100%']],
    ['limit=1&offset=1', ['Apple']],
    ['offset=7', []],
  ])('%s', async (query, found) => {
    const [banana, apple, cherry] = await three();
    await patch(banana.id, {});
    for (const [{ id }, at] of [
      [apple, '2030-02-01'],
      [cherry, '2030-01-01'],
    ] as const)
      await fixture.admin.query(
        `UPDATE campaigns SET status = 'scheduled', scheduled_at = $2 WHERE id = $1`,
        [id, at],
      );
    const { body } = await call('GET', `?${query}`);
    expect(names(body)).toEqual(found);
    const isPaged = /limit|offset/.test(query);
    expect([body.total, body.counts.all]).toEqual([isPaged || /sort/.test(query) ? 3 : found.length, 3]);
  });

  test.each([
    'limit=0',
    'limit=201',
    'offset=-1',
    'sort_by=subject',
    'sort_by=createdAt',
    'sort_dir=up',
    'status=deleted',
    'colour=red',
    `search=${'x'.repeat(256)}`,
  ])('refuses %s with 422', async (query) => {
    const { status, body } = await call('GET', `?${query}`);
    expect([status, body.code, body.errors[0].field]).toEqual([422, 'invalid_field', query.split('=')[0]]);
  });
});

test('campaigns of the one environment are not there in the other', async () => {
  const inTest = { 'x-environment': 'test' };
  const { id } = await campaign();
  const made = await call('POST', '', { name: 'Trial' }, inTest);
  expect(names((await call('GET', '')).body)).toEqual(['Spring sale']);
  expect(names((await call('GET', '', undefined, inTest)).body)).toEqual(['Trial']);
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'X' }],
    ['DELETE', '', undefined],
    ['POST', '/duplicate', {}],
  ] as const) {
    expect((await call(method, `/${id}${path}`, body, inTest)).body.code).toBe('campaign_not_found');
    expect((await call(method, `/${made.body.id}${path}`, body)).body.code).toBe('campaign_not_found');
  }
  expect((await get(id)).body.name).toBe('Spring sale');
});

test("another workspace's campaigns are not there", async () => {
  const { id } = await campaign();
  fixture.workspace = await fixture.app.workspace();
  expect((await get(id)).body.code).toBe('campaign_not_found');
  expect((await call('GET', '')).body.counts.all).toBe(0);
});

test('they are for people: a key is refused with 403 control_plane_only', async () => {
  const { id } = await campaign();
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${id}`],
    ['PATCH', `/${id}`],
    ['DELETE', `/${id}`],
    ['POST', `/${id}/duplicate`],
  ] as const) {
    const { status, body } = await fixture.workspace.call(method, `/v1/campaigns${path}`);
    expect([status, body.reason]).toEqual([403, 'control_plane_only']);
  }
});

test('a workspace that is read-only lists them, and makes none', async () => {
  const { id } = await campaign();
  await fixture.admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [
    fixture.workspace.id,
  ]);
  fixture.app.clock.wind(120_000);
  expect((await get(id)).status).toBe(200);
  for (const answer of [await create(), await patch(id, {}), await call('DELETE', `/${id}`)])
    expect([answer.status, answer.body.code]).toEqual([403, 'workspace_suspended']);
});

describe('GraphQL', () => {
  const ask = async (query: string, variables = {}): Promise<any> => {
    const { body } = await fixture.workspace.graphql(query, variables);
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  const ALL = `id name subject templateId segmentId senderName senderEmail replyTo status localTime maxPerHour scheduledAt
    nextRunAt pausedReason startedAt completedAt audienceSize createdBy createdAt updatedAt recurrence { frequency }
    abTest { testPercentage metric durationHours sendWinner holdoutPercentage
      goal { eventName eventFilters windowHours } variants { name subject templateId senderName } }`;

  test('makes, changes, copies, reads and deletes', async () => {
    const input = {
      name: 'Autumn',
      senderEmail: 'hello@acme.test',
      abTest: {
        variants: [{ name: 'A' }, { name: 'B', subject: 'Now' }],
        metric: 'conversion_rate',
        goal: { eventName: 'order_placed', eventFilters: { someKey: 1 }, windowHours: 2 },
      },
    };
    const { createCampaign: made } = await ask(
      `mutation ($input: CreateCampaignInput!) { createCampaign(input: $input) { ${ALL} } }`,
      { input },
    );
    expect(made).toMatchObject({ ...input, status: 'draft', abTest: { goal: input.abTest.goal } });
    expect((await get(made.id)).body.ab_test.goal).toEqual({
      event_name: 'order_placed',
      event_filters: { someKey: 1 },
      window_hours: 2,
    });
    const { updateCampaign: changed } = await ask(
      `mutation ($id: ID!, $input: UpdateCampaignInput!) { updateCampaign(id: $id, input: $input) { ${ALL} } }`,
      { id: made.id, input: { subject: 'Leaves', abTest: null } },
    );
    expect(changed).toEqual({ ...made, subject: 'Leaves', abTest: null });
    expect((await ask(`{ campaign(id: "${made.id}") { ${ALL} } }`)).campaign).toEqual(changed);
    const { duplicateCampaign: copy } = await ask(
      `mutation { duplicateCampaign(id: "${made.id}") { name subject } }`,
    );
    expect(copy).toEqual({ name: 'Autumn (Copy)', subject: 'Leaves' });
    expect(await ask(`mutation { deleteCampaign(id: "${made.id}") }`)).toEqual({ deleteCampaign: made.id });
    expect((await get(made.id)).status).toBe(404);
  });

  test('names fields in its own letters, and errors by their codes', async () => {
    const { body } = await fixture.workspace.graphql(
      `mutation { createCampaign(input: { name: "N", abTest: { variants: [{ name: "A" }, { name: "B" }], metric: "conversion_rate" } }) { id } }`,
    );
    expect([body.errors[0].extensions.code, body.errors[0].extensions.errors[0].field]).toEqual([
      'invalid_field',
      'abTest.goal',
    ]);
    const gone = await fixture.workspace.graphql(`{ campaign(id: "${UNKNOWN_ID}") { id } }`);
    expect(gone.body.errors[0].extensions.code).toBe('campaign_not_found');
  });

  test('what no name can hold finds none, and the counts are told all the same', async () => {
    await campaign();
    const { campaigns } = await ask(
      'query ($search: String) { campaigns(filter: { search: $search }) { totalCount counts { all } edges { cursor } } }',
      { search: 'a\0' },
    );
    expect(campaigns).toEqual({ totalCount: 0, counts: { all: 1 }, edges: [] });
  });

  test.each([
    ['createdAt', 'desc', ['d', 'c', 'b', 'a']],
    ['createdAt', 'asc', ['a', 'b', 'c', 'd']],
    ['scheduledAt', 'asc', ['c', 'a', 'b', 'd']],
    ['scheduledAt', 'desc', ['a', 'c', 'd', 'b']],
    ['name', 'asc', ['a', 'b', 'c', 'd']],
    ['name', 'desc', ['d', 'c', 'b', 'a']],
    ['updatedAt', 'asc', ['a', 'b', 'c', 'd']],
  ])('reads a list by %s %s page by page', async (sortBy, sortDir, expected) => {
    for (const name of ['a', 'b', 'c', 'd']) {
      const { id } = await campaign({ name });
      const at = { a: '2030-02-01', c: '2030-01-01' }[name];
      if (at) await fixture.admin.query('UPDATE campaigns SET scheduled_at = $2 WHERE id = $1', [id, at]);
      fixture.app.clock.wind(1_000);
    }
    const read: string[] = [];
    let after: string | null = null;
    for (let pages = 0; pages < 5; pages++) {
      const { campaigns } = await ask(
        `query ($after: String, $by: CampaignSort!, $dir: SortOrder!) {
           campaigns(first: 1, after: $after, sortBy: $by, sortDir: $dir, filter: { status: draft }) {
             totalCount counts { all draft abTesting } edges { node { name } } pageInfo { hasNextPage endCursor } } }`,
        { after, by: sortBy, dir: sortDir },
      );
      read.push(...campaigns.edges.map(({ node }: any) => node.name));
      expect([campaigns.totalCount, campaigns.counts]).toEqual([4, { all: 4, draft: 4, abTesting: 0 }]);
      if (!campaigns.pageInfo.hasNextPage) break;
      after = campaigns.pageInfo.endCursor;
    }
    expect(read).toEqual(expected);
    const other = sortDir === 'asc' ? 'desc' : 'asc';
    const { body } = await fixture.workspace.graphql(
      `{ campaigns(after: "${after}", sortBy: ${sortBy}, sortDir: ${other}) { totalCount } }`,
    );
    expect(body.errors[0].extensions.code).toBe('invalid_field');
  });
});
