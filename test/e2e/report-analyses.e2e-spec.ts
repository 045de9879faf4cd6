/** Funnels, cohorts, and comparisons of flows directly and by tags, over HTTP and GraphQL: sections 2.8 and 4.4. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Answer } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { flowsFixture, UNKNOWN_ID } from '../support/flows-fixture.js';
import { until } from '../support/until.js';

const KEY = randomBytes(32);
const fixture = flowsFixture({ env: { EMAIL_WEBHOOK_SECRET: `whsec_${KEY.toString('base64')}` } });

const ask = (analysis: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> =>
  fixture.workspace.call('POST', `/v1/reports/${analysis}`, body, headers);
const inTest = (): Record<string, string> => ({ 'x-api-key': fixture.workspace.testKey });

async function asked(analysis: string, body?: object, headers: Record<string, string> = {}): Promise<any> {
  const { status, body: answer } = await ask(analysis, body, headers);
  expect({ status, code: answer.code }).toEqual({ status: 200, code: undefined });
  return answer;
}

/** [key, count, rate_from_start, rate_from_previous] of each stage. */
async function stages(body: object, headers: Record<string, string> = {}): Promise<unknown[][]> {
  const { stages: all } = await asked('funnel', body, headers);
  return all.map((stage: any) => [stage.key, stage.count, stage.rate_from_start, stage.rate_from_previous]);
}

async function post(
  name: string,
  who: readonly string[],
  headers: Record<string, string> = {},
): Promise<void> {
  for (const external_id of who) {
    const event = { external_id, event_name: name, contact: { email: `${external_id}@x.test` } };
    expect((await fixture.workspace.call('POST', '/v1/events', event, headers)).status).toBe(202);
  }
  await until('all events are processed', async () => {
    const { rows } = await fixture.admin.query('SELECT FROM events WHERE processed_at IS NULL LIMIT 1');
    return rows.length === 0;
  });
}

/** Waits until the workspace has sent `count` messages; returns their ids by recipient and template. */
async function sent(count: number): Promise<Map<string, string>> {
  const find = async (): Promise<{ id: string; to_email: string; template_slug: string }[]> =>
    (
      await fixture.admin.query(
        `SELECT id, to_email, template_slug FROM email_logs WHERE workspace_id = $1 AND status = 'sent'`,
        [fixture.workspace.id],
      )
    ).rows;
  await until(`${count} messages are sent`, async () => (await find()).length === count, find);
  return new Map(
    (await find()).map((row) => [
      `${row.to_email.slice(0, row.to_email.indexOf('@'))} ${row.template_slug}`,
      row.id,
    ]),
  );
}

let serial = 0;
/** Delivers provider reports about messages, and waits until they are processed. */
async function deliverReports(
  type: string,
  ids: readonly (string | undefined)[],
  data: object = {},
): Promise<void> {
  for (const email_id of ids) {
    const created_at = fixture.app.clock.now().toISOString();
    const bytes = JSON.stringify({ type: `email.${type}`, created_at, data: { email_id, ...data } });
    const [id, seconds] = [`msg_${++serial}`, String(Math.floor(Date.now() / 1_000))];
    const signature = createHmac('sha256', KEY).update(`${id}.${seconds}.${bytes}`).digest('base64');
    const { status } = await fixture.app.request('POST', '/v1/webhooks/email', bytes, {
      ...{ 'svix-id': id, 'svix-timestamp': seconds, 'svix-signature': `v1,${signature}` },
    });
    expect(status).toBeLessThan(300);
  }
  await until('word was worked on', async () => {
    const { rows } = await fixture.admin.query('SELECT FROM feedback WHERE processed_at IS NULL LIMIT 1');
    return rows.length === 0;
  });
}

const WELCOME = { type: 'send_email', template_slug: 'welcome' };
/** Creates a flow that sends one message, waits, and branches; with the goal order_placed. */
async function onboarding(more: object = {}): Promise<string> {
  const id = await fixture.flow({
    trigger_event: 'signed_up',
    settings: { reentry_policy: 'always' },
    steps: [
      WELCOME,
      {
        type: 'conditional_split',
        branches: [
          {
            name: 'orders',
            check: { source: 'latest_event', event_name: 'looked_around', exists: true },
            steps: [{ type: 'update_contact', set: { first_name: 'Ada' } }],
          },
          { name: 'others', steps: [{ type: 'wait', duration: '3d' }] },
        ],
      },
    ],
    ...more,
  });
  const goal = { name: 'First order', event_name: 'order_placed' };
  expect((await fixture.call('POST', `/${id}/goals`, goal)).status).toBe(201);
  expect((await fixture.act(id, 'activate')).status).toBe(200);
  return id;
}

describe('from events to figures', () => {
  test('a funnel, a comparison and groups say of the same trips and messages the same', async () => {
    await fixture.template('welcome');
    await fixture.template('other');
    const first = await onboarding({ name: 'First', tags: ['growth', 'new'] });
    const second = await fixture.flow(
      { name: 'Second', trigger_event: 'came_back', steps: [{ type: 'send_email', template_slug: 'other' }] },
      'activate',
    );
    const idle = await fixture.flow({ name: 'Idle', tags: ['new'] });
    await post('looked_around', ['ada']);
    await post('signed_up', ['ada', 'bob', 'cy', 'dee']);
    await post('came_back', ['ada', 'bob']);
    await post('order_placed', ['ada', 'bob', 'ada']);
    await post('signed_up', ['ada'], inTest());
    const mails = await sent(6 + 1);
    const ofFirst = ['ada', 'bob', 'cy', 'dee'].map((who) => mails.get(`${who} welcome`));
    void ofFirst;
    const { rows } = await fixture.admin.query<{ id: string; source_id: string; to_email: string }>(
      `SELECT id, source_id, to_email FROM email_logs WHERE workspace_id = $1 AND environment = 'live' ORDER BY id`,
      [fixture.workspace.id],
    );
    const mailsOf = (flow: string): string[] =>
      rows.filter((row) => row.source_id === flow).map(({ id }) => id);
    await deliverReports('delivered', mailsOf(first));
    await deliverReports('opened', mailsOf(first).slice(0, 2), {
      open: { userAgent: 'Mozilla/5.0 (X11) Firefox/130' },
    });
    await deliverReports('clicked', mailsOf(first).slice(0, 1), {
      click: { link: 'https://x.test/a', userAgent: 'Mozilla/5.0 (X11) Firefox/130' },
    });

    expect(await stages({ type: 'email' })).toEqual([
      ['sent', 6, 100, 100],
      ['delivered', 4, 66.67, 66.67],
      ['opened', 2, 33.33, 50],
      ['clicked', 1, 16.67, 50],
    ]);
    const sentOf = async (filter: object, headers = {}): Promise<unknown> =>
      (await stages({ type: 'email', ...filter }, headers))[0]?.[1];
    expect(await sentOf({ flow_id: first })).toBe(4);
    expect(await sentOf({ flow_id: second, template: 'other' })).toBe(2);
    expect(await sentOf({ flow_id: second, template: 'welcome' })).toBe(0);
    expect(await sentOf({}, inTest())).toBe(1);
    expect(await sentOf({ date_range: 'yesterday' })).toBe(0);

    const [goal] = (await fixture.call('GET', `/${first}/goals`)).body;
    const funnel = await asked('funnel', { type: 'flow', flow_id: first });
    expect(funnel.stages.map(({ key, count }: any) => [key, count])).toEqual([
      ['entered', 4],
      ['step_1', 4],
      ['step_2', 4],
      ['step_3', 1],
      ['step_4', 3],
      ['completed', 1],
      [`goal_${goal.id}`, 2],
    ]);
    expect(funnel.stages.at(-1)).toEqual({
      ...{ key: `goal_${goal.id}`, label: 'Goal: First order', count: 2 },
      ...{ rate_from_start: 50, rate_from_previous: 200, is_measured: true },
    });
    expect(funnel.stages[1].label).toBe('Send email: welcome');
    const [conversions] = (await fixture.call('GET', `/${first}/goal-conversions`)).body.goals;
    expect([conversions.entered, conversions.conversions]).toEqual([4, 2]);
    expect((await stages({ type: 'flow', flow_id: first }, inTest()))[0]?.[1]).toBe(1);

    const now = fixture.app.clock.now();
    const range = {
      preset: '30d',
      from: new Date(now.getTime() - 30 * DAY).toISOString(),
      to: now.toISOString(),
    };
    // The provider reports on messages of that day.
    const measuredOf = (of: number): object => {
      const all = { measured: of, of };
      return { deliveries: all, opens: all, clicks: all };
    };
    const figures = {
      ...{ entered: 4, completed: 1, completion_rate: 25, sent: 4, open_rate: 50, click_rate: 25 },
      ...{ conversions: 2, conversion_rate: 50 },
      measured: measuredOf(4),
    };
    const ofSecond = {
      ...{ entered: 2, completed: 2, completion_rate: 100, sent: 2, open_rate: 0, click_rate: 0 },
      ...{ conversions: 0, conversion_rate: 0 },
      measured: measuredOf(2),
    };
    expect(await asked('compare-flows', { flow_ids: [second, first.toUpperCase()] })).toEqual({
      date_range: range,
      flows: [
        { flow_id: second, name: 'Second', ...ofSecond, unsubscribed: 0 },
        { flow_id: first, name: 'First', ...figures, unsubscribed: 0 },
      ],
      best: { completion_rate: second, open_rate: first, click_rate: first, conversion_rate: first },
    });
    expect(
      (await asked('compare-flows', { flow_ids: [idle, second], date_range: 'yesterday' })).best,
    ).toEqual({
      ...{ completion_rate: null, open_rate: null, click_rate: null, conversion_rate: null },
    });
    expect(await asked('flow-groups')).toEqual({
      date_range: range,
      groups: [
        { tag: 'growth', flows: 1, ...figures },
        { tag: 'new', flows: 2, ...figures },
      ],
      untagged: { flows: 1, ...ofSecond },
    });
    expect(await asked('flow-groups', { tags: ['growth', 'none'] })).toMatchObject({
      groups: [{ tag: 'growth', flows: 1 }],
      untagged: null,
    });

    const { body } = await fixture.workspace.graphql(
      `query ($first: ID!, $second: ID!) {
        email: funnel(type: email, template: "welcome") { type range { preset } stages { key count rateFromStart } }
        flow: funnel(type: flow, flowId: $first) { stages { key count rateFromPrevious } }
        compareFlows(flowIds: [$first, $second]) { flows { flowId sent conversions } best { openRate conversionRate } }
        flowGroups(tags: ["new"]) { groups { tag flows entered completionRate } untagged { flows } }
      }`,
      { first, second },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.email).toEqual({
      type: 'email',
      range: { preset: '30d' },
      stages: [
        { key: 'sent', count: 4, rateFromStart: 100 },
        { key: 'delivered', count: 4, rateFromStart: 100 },
        { key: 'opened', count: 2, rateFromStart: 50 },
        { key: 'clicked', count: 1, rateFromStart: 25 },
      ],
    });
    expect(body.data.flow.stages[0]).toEqual({ key: 'entered', count: 4, rateFromPrevious: 100 });
    expect(body.data.compareFlows).toEqual({
      flows: [
        { flowId: first, sent: 4, conversions: 2 },
        { flowId: second, sent: 2, conversions: 0 },
      ],
      best: { openRate: first, conversionRate: first },
    });
    expect(body.data.flowGroups).toEqual({
      groups: [{ tag: 'new', flows: 2, entered: 4, completionRate: 25 }],
      untagged: null,
    });
  });

  test('steps that are no longer in the flow are not shown, and what trips did of those that are stays', async () => {
    await fixture.template('welcome');
    const id = await fixture.flow(
      {
        trigger_event: 'signed_up',
        steps: [
          { type: 'update_contact', set: { first_name: 'A' } },
          { type: 'wait', duration: '2h' },
        ],
      },
      'activate',
    );
    await post('signed_up', ['ada', 'bob']);
    const [kept] = (await fixture.get(id)).body.steps;
    const steps = [kept, { type: 'update_contact', set: { last_name: 'B' } }];
    expect((await fixture.put(id, { steps })).status).toBe(200);
    fixture.app.clock.wind(HOUR);
    expect((await stages({ type: 'flow', flow_id: id })).map(([key, count]) => [key, count])).toEqual([
      ['entered', 2],
      ['step_1', 2],
      ['step_3', 0],
      ['completed', 0],
    ]);
  });

  test('an archived flow is in its groups while something came of it in the period', async () => {
    const id = await fixture.flow({ trigger_event: 'signed_up', tags: ['old'] }, 'activate');
    await fixture.flow({ tags: ['old'] });
    await post('signed_up', ['ada']);
    expect((await fixture.act(id, 'stop')).status).toBe(200);
    const archived = await fixture.workspace.graphql(
      'mutation ($id: ID!) { archiveFlow(id: $id) { status } }',
      { id },
    );
    expect(archived.body.errors).toBeUndefined();
    const flows = async (date_range: string): Promise<unknown> =>
      (await asked('flow-groups', { date_range })).groups.map(({ tag, flows, entered }: any) => [
        tag,
        flows,
        entered,
      ]);
    expect(await flows('30d')).toEqual([['old', 2, 1]]);
    fixture.app.clock.wind(2 * DAY);
    expect(await flows('1d')).toEqual([['old', 1, 0]]);
  });
});

describe('cohorts', () => {
  /** [start, size, counts by index]. */
  async function table(body: object, headers: Record<string, string> = {}): Promise<unknown[][]> {
    const { cohorts } = await asked('cohort', body, headers);
    return cohorts.map(({ start, size, values }: any) => [
      start,
      size,
      values.map(({ count }: any) => count),
    ]);
  }

  test('people are counted by when they began, and by when they were active again', async () => {
    const flow = await fixture.flow({ trigger_event: 'signed_up' }, 'activate');
    const monday = Math.ceil(fixture.app.clock.now().getTime() / DAY) * DAY;
    const until = monday + (((8 - new Date(monday).getUTCDay()) % 7) + 7) * DAY + 9 * HOUR;
    fixture.app.clock.wind(until - fixture.app.clock.now().getTime());
    const day = (behind: number): string => new Date(until + behind * DAY).toISOString().slice(0, 10);
    await post('signed_up', ['ada', 'bob', 'cy']);
    await post('signed_up', ['ada'], inTest());
    fixture.app.clock.wind(7 * DAY);
    await post('order_placed', ['ada', 'bob']);
    await post('signed_up', ['dee']);
    fixture.app.clock.wind(7 * DAY);
    await post('looked_around', ['ada']);
    const range = { from_date: day(-7), to_date: day(20) };
    const weeks = [day(-7), day(0), day(7), day(14)];

    const everybody = [
      [weeks[0], 0, [0, 0, 0, 0]],
      [weeks[1], 3, [3, 2, 1]],
      [weeks[2], 1, [1, 0]],
      [weeks[3], 0, [0]],
    ];
    expect(await table(range)).toEqual(everybody);
    expect(await table({ ...range, cohort_by: 'flow_entered', flow_id: flow })).toEqual(everybody);
    expect(await table({ ...range, cohort_by: 'event', event_name: 'signed_up' })).toEqual(everybody);
    expect(await table({ ...range, return_event: 'order_placed', periods: 2 })).toEqual([
      [weeks[0], 0, [0, 0]],
      [weeks[1], 3, [0, 2]],
      [weeks[2], 1, [0, 0]],
      [weeks[3], 0, [0]],
    ]);
    expect((await table({ ...range, return_by: 'email_opened' }))[1]).toEqual([weeks[1], 3, [0, 0, 0]]);
    expect((await table(range, inTest()))[1]).toEqual([weeks[1], 1, [1, 0, 0]]);
    expect(await table({ from_date: day(0), to_date: day(1), period: 'day', periods: 8 })).toEqual([
      [day(0), 3, [3, 0, 0, 0, 0, 0, 0, 2]],
      [day(1), 0, [0, 0, 0, 0, 0, 0, 0, 0]],
    ]);
    const other = await fixture.app.workspace();
    const foreign = await other.call('POST', '/v1/reports/cohort', range);
    expect(foreign.body.cohorts.map(({ size }: any) => size)).toEqual([0, 0, 0, 0]);

    const { body } = await fixture.workspace.graphql(
      `query ($from: String, $to: String, $flow: ID) {
        cohort(cohortBy: flow_entered, flowId: $flow, fromDate: $from, toDate: $to, returnBy: event, periods: 2) {
          period range { preset } cohorts { start size values { index count rate } } } }`,
      { from: day(0), to: day(6), flow },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.cohort).toEqual({
      period: 'week',
      range: { preset: null },
      cohorts: [
        {
          start: weeks[1],
          size: 3,
          values: [
            { index: 0, count: 3, rate: 100 },
            { index: 1, count: 2, rate: 66.67 },
          ],
        },
      ],
    });
  });
});

describe('what is refused', () => {
  const ID = UNKNOWN_ID;
  test.each<[string, string, object | undefined, number, string, string?]>([
    ['a funnel of nothing', 'funnel', {}, 400, 'validation_error', 'type'],
    ['a funnel of another type', 'funnel', { type: 'sms' }, 422, 'invalid_field', 'type'],
    ['a flow funnel without a flow', 'funnel', { type: 'flow' }, 422, 'invalid_field', 'flow_id'],
    ['an unknown flow', 'funnel', { type: 'flow', flow_id: ID }, 404, 'flow_not_found'],
    ['what is no id of a flow', 'funnel', { type: 'flow', flow_id: 'x' }, 404, 'flow_not_found'],
    ['an unknown flow of messages', 'funnel', { type: 'email', flow_id: ID }, 404, 'flow_not_found'],
    ['an unknown campaign', 'funnel', { type: 'email', campaign_id: ID }, 404, 'campaign_not_found'],
    ['an unknown template', 'funnel', { type: 'email', template: 'x' }, 404, 'template_not_found'],
    ['an unknown preset', 'funnel', { type: 'email', date_range: '2d' }, 422, 'invalid_field', 'date_range'],
    ['no date', 'funnel', { type: 'email', from_date: 'soon' }, 422, 'invalid_date_param'],
    [
      'swapped dates',
      'flow-groups',
      { from_date: '2026-03-02', to_date: '2026-03-01' },
      422,
      'invalid_date_param',
    ],
    ['a number as a date', 'flow-groups', { to_date: 5 }, 422, 'invalid_date_param'],
    ['an unknown field', 'flow-groups', { tag: 'x' }, 422, 'invalid_field', 'tag'],
    ['tags that are none', 'flow-groups', { tags: 'x' }, 422, 'invalid_field', 'tags'],
    ['a tag that no flow can have', 'flow-groups', { tags: ['\0'] }, 422, 'invalid_field', 'tags'],
    ['too many tags', 'flow-groups', { tags: Array(101).fill('x') }, 422, 'invalid_field', 'tags'],
    [
      'cohorts of a flow without one',
      'cohort',
      { cohort_by: 'flow_entered' },
      422,
      'invalid_field',
      'flow_id',
    ],
    ['cohorts of an event without one', 'cohort', { cohort_by: 'event' }, 422, 'invalid_field', 'event_name'],
    [
      'cohorts of an unknown flow',
      'cohort',
      { cohort_by: 'flow_entered', flow_id: ID },
      404,
      'flow_not_found',
    ],
    ['an unknown period', 'cohort', { period: 'year' }, 422, 'invalid_field', 'period'],
    ['no periods', 'cohort', { periods: 0 }, 422, 'invalid_field', 'periods'],
    ['too many periods', 'cohort', { periods: 25 }, 422, 'invalid_field', 'periods'],
    ['another way to return', 'cohort', { return_by: 'sms' }, 422, 'invalid_field', 'return_by'],
    [
      'too many cohorts',
      'cohort',
      { period: 'day', from_date: '2020-01-01' },
      422,
      'invalid_field',
      'period',
    ],
    ['a comparison of nothing', 'compare-flows', {}, 400, 'validation_error', 'flow_ids'],
    ['one flow alone', 'compare-flows', { flow_ids: [ID] }, 422, 'too_short', 'flow_ids'],
    ['five flows', 'compare-flows', { flow_ids: Array(5).fill(ID) }, 422, 'too_long', 'flow_ids'],
    ['a flow twice', 'compare-flows', { flow_ids: [ID, ID.toUpperCase()] }, 422, 'invalid_field', 'flow_ids'],
    [
      'flows that are unknown',
      'compare-flows',
      { flow_ids: [ID, ID.replace('0190', '0191')] },
      404,
      'flow_not_found',
    ],
  ])('%s', async (_, analysis, body, status, code, field = '') => {
    const answer = await ask(analysis, body);
    expect({ status: answer.status, code: answer.body.code ?? answer.body.detail.code }).toEqual({
      status,
      code,
    });
    if (field) expect(answer.body.errors.map((error: any) => error.field)).toEqual([field]);
  });

  test('null is as good as nothing', async () => {
    const range = { date_range: null, from_date: null, to_date: null };
    const { date_range } = await asked('funnel', { type: 'email', flow_id: null, template: null, ...range });
    expect(date_range.preset).toBe('30d');
    const nothing = { cohort_by: null, period: null, periods: null, return_by: null, return_event: null };
    expect((await asked('cohort', { ...nothing, ...range })).period).toBe('week');
    await asked('flow-groups', { tags: null, ...range });
  });

  test('flows and campaigns of others are as good as none', async () => {
    const flow = await fixture.flow();
    const own = await fixture.flow();
    const { body: campaign } = await fixture.workspace.graphql(
      'mutation { createCampaign(input: { name: "News" }) { id } }',
    );
    const campaignId = campaign.data?.createCampaign.id as string;
    expect((await ask('funnel', { type: 'email', campaign_id: campaignId })).status).toBe(200);
    expect((await ask('funnel', { type: 'email', campaign_id: campaignId }, inTest())).body.code).toBe(
      'campaign_not_found',
    );
    fixture.workspace = await fixture.app.workspace();
    for (const [analysis, body, code] of [
      ['funnel', { type: 'flow', flow_id: flow }, 'flow_not_found'],
      ['funnel', { type: 'email', flow_id: flow }, 'flow_not_found'],
      ['funnel', { type: 'email', campaign_id: campaignId }, 'campaign_not_found'],
      ['cohort', { cohort_by: 'flow_entered', flow_id: flow }, 'flow_not_found'],
      ['compare-flows', { flow_ids: [flow, own] }, 'flow_not_found'],
    ] as const) {
      const answer = await ask(analysis, body);
      expect([answer.status, answer.body.code]).toEqual([404, code]);
    }
    expect((await asked('flow-groups')).groups).toEqual([]);
  });

  test('GraphQL refuses the same, under its own names', async () => {
    const refused = async (query: string): Promise<[string, string]> => {
      const { body } = await fixture.workspace.graphql(query);
      const { code, errors } = body.errors[0].extensions;
      return [code, errors?.[0]?.field];
    };
    expect(await refused('{ funnel(type: flow) { type } }')).toEqual(['invalid_field', 'flowId']);
    expect(await refused('{ funnel(type: email, dateRange: "2d") { type } }')).toEqual([
      'invalid_field',
      'dateRange',
    ]);
    expect(await refused('{ cohort(cohortBy: event) { period } }')).toEqual(['invalid_field', 'eventName']);
    expect(await refused(`{ compareFlows(flowIds: ["${ID}"]) { range { from } } }`)).toEqual([
      'too_short',
      'flowIds',
    ]);
  });

  test('a suspended workspace asks all the same', async () => {
    const workspace = await fixture.app.workspace();
    await fixture.admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [workspace.id]);
    fixture.workspace = workspace;
    const event = { external_id: 'ada', event_name: 'signed_up' };
    expect((await workspace.call('POST', '/v1/events', event)).body.code).toBe('workspace_suspended');
    await asked('funnel', { type: 'email' });
    await asked('cohort', {});
    await asked('flow-groups', {});
    expect((await ask('compare-flows', { flow_ids: [ID, ID.replace('0190', '0191')] })).body.code).toBe(
      'flow_not_found',
    );
  });
});
