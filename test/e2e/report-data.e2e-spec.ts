/**
 * Data of reports over HTTP and GraphQL, section 4.4: every source, filters, comparison, caching, files, and
 * permissions.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { CATALOGUE } from '../../src/modules/metrics/domain/catalogue.js';
import { DATA_SOURCES } from '../../src/modules/metrics/domain/metric-query.js';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp({ queues: [] });
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

interface Message {
  readonly status?: string;
  readonly to?: string;
  readonly template?: string;
  readonly source?: string | null;
  readonly opened?: boolean;
  /** What the message contained for tracking; everything by default. */
  readonly tracked?: number;
  readonly environment?: string;
  readonly workspaceId?: string;
}

/** Inserts messages into the ledger that were decided `ago` milliseconds ago. */
async function messages(ago: number, count: number, message: Message = {}): Promise<void> {
  const {
    status = 'sent',
    to = 'ada@example.com',
    template = 'hello',
    source = null,
    opened = false,
    tracked = 3,
  } = message;
  const at = new Date(app.clock.now().getTime() - ago);
  await admin.query(
    `INSERT INTO email_logs (workspace_id, id, origin, origin_id, origin_step, environment, source_id, contact_id, template_slug, content_type,
       priority, status, to_email, message_id, next_attempt_at, created_at, updated_at, sent_at, opened_at, tracked)
     SELECT $1, id, 'direct', id, 0, $2, $3, id, $4, 'promotional', 1, $5::text, $6, 'x', $7::timestamptz, $7, $7, CASE WHEN $5 = 'sent' THEN $7::timestamptz END,
       CASE WHEN $8 THEN $7::timestamptz END, $10
     FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $9)) AS n`,
    [
      message.workspaceId ?? workspace.id,
      message.environment ?? 'live',
      source,
      template,
      status,
      to,
      at,
      opened,
      count,
      tracked,
    ],
  );
}

const query = (config: object, rest: object = {}): Promise<Answer> =>
  workspace.call('POST', '/v1/reports/query', { config, ...rest });

async function report(config: object, name = 'Report'): Promise<string> {
  const { status, body } = await workspace.call('POST', '/v1/reports', {
    name,
    visibility: 'workspace',
    config,
  });
  expect(status).toBe(201);
  return body.id;
}

const data = (id: string, search = ''): Promise<Answer> =>
  workspace.call('GET', `/v1/reports/${id}/data${search}`);

const SENT = { metrics: ['sent'] };

test('the fields are those of the catalogue', async () => {
  const { status, body } = await workspace.call('GET', '/v1/reports/fields');
  expect(status).toBe(200);
  expect(body.data_sources.map(({ key }: any) => key)).toEqual(DATA_SOURCES);
  const [emails] = body.data_sources;
  expect(emails.metrics[0]).toEqual({
    key: 'sent',
    label: 'Sent',
    description: expect.any(String),
    format: 'number',
  });
  expect(emails.dimensions[0]).toEqual({ key: 'date', label: 'Date', type: 'time' });
  expect(emails.filters.find(({ key }: any) => key === 'content_type')).toEqual({
    key: 'content_type',
    label: 'Content type',
    type: 'text',
    operators: ['equals', 'not_equals', 'in', 'not_in', 'contains'],
    values: ['transactional', 'promotional'],
  });
});

test('an answer has every field', async () => {
  await messages(HOUR, 3, { opened: true });
  await messages(DAY, 1);
  await messages(9 * DAY, 2);
  const now = app.clock.now().getTime();
  const id = await report({ metrics: ['sent', 'open_rate'], dimensions: ['week'], chart_type: 'bar' });
  const { status, body } = await data(id, '?date_range=7d&compare=true');
  expect(status).toBe(200);
  const iso = (moment: number): string => new Date(moment).toISOString();
  expect(body).toEqual({
    report_id: id,
    report_type: 'custom',
    data_source: 'email_logs',
    chart_type: 'bar',
    date_range: { preset: '7d', from: iso(now - 7 * DAY), to: iso(now) },
    generated_at: iso(now),
    cached: false,
    metrics: [
      { key: 'sent', label: 'Sent', format: 'number' },
      { key: 'open_rate', label: 'Open rate', format: 'percent' },
    ],
    dimensions: [{ key: 'week', label: 'Week' }],
    rows: [
      { week: '2026-02-23', sent: 1, open_rate: 0 },
      { week: '2026-03-02', sent: 3, open_rate: 100 },
    ],
    totals: { sent: 4, open_rate: 75 },
    comparison: {
      date_range: { preset: null, from: iso(now - 14 * DAY - 1), to: iso(now - 7 * DAY - 1) },
      totals: { sent: 2, open_rate: 0 },
      change: { sent: 100, open_rate: null },
      rows: [
        { week: '2026-02-16', sent: 2, open_rate: 0 },
        { week: '2026-02-23', sent: 0, open_rate: 0 },
      ],
      measured: null,
    },
    truncated: false,
    measured: null,
  });
});

describe('what nobody measured', () => {
  const CONFIG = { metrics: ['sent', 'delivered', 'open_rate', 'click_rate'], dimensions: ['template'] };

  test('is 0 beside a word that it is not measured, null in GraphQL, empty in a file and a dash on pages', async () => {
    await messages(HOUR, 4, { tracked: 0 });
    const none = { measured: 0, of: 4 };
    const measured = { delivered: none, open_rate: none, click_rate: none };
    const { body } = await query(CONFIG, { compare: true });
    expect(body.totals).toEqual({ sent: 4, delivered: 0, open_rate: 0, click_rate: 0 });
    expect(body.measured).toEqual({ totals: measured, rows: [measured] });
    expect([body.comparison.measured, body.comparison.change.open_rate]).toEqual([null, null]);
    const { dataSource, ...ofQuery } = { dataSource: 'email_logs', ...CONFIG };
    const graphql = await workspace.graphql(
      `query ($config: ReportConfigInput!) { reportQuery(config: $config) { rows totals measured } }`,
      { config: { dataSource, ...ofQuery } },
    );
    const { totals, rows, measured: reported } = graphql.body.data.reportQuery;
    expect(totals).toEqual({ sent: 4, delivered: null, open_rate: null, click_rate: null });
    expect(rows).toMatchObject([{ sent: 4, open_rate: null }]);
    expect(reported).toEqual({ totals: measured, rows: [measured] });
    const id = await report(CONFIG);
    const file = await workspace.call('GET', `/v1/reports/${id}/export/csv`);
    expect(file.body).toBe('Template,Sent,Delivered,Open rate,Click rate\nhello,4,,,\n');
    const page = String((await workspace.call('GET', `/v1/reports/${id}/export/pdf`)).body);
    expect(page).toContain('<dd class="value">–</dd>');
    expect(page).toContain('Not measured');
    expect(page).toContain('– means not measured');
    expect(page).not.toMatch(/0\.00%|>new</);
    const home = await workspace.graphql('{ homeFigures { figures { metric value change } } }');
    const shown = Object.fromEntries(
      home.body.data.homeFigures.figures.map(({ metric, value }: any) => [metric, value]),
    );
    expect(shown).toMatchObject({ sent: 4, delivered: null, opened: null, clicked: null });
  });

  test('counts in no rate, and the answer says how much was measured', async () => {
    await messages(HOUR, 4, { opened: true, tracked: 1 });
    await messages(HOUR, 4, { tracked: 1, template: 'other' });
    await messages(HOUR, 12, { tracked: 0, template: 'other' });
    const { body } = await query({ metrics: ['open_rate', 'click_rate'], dimensions: ['template'] });
    expect(body.totals).toEqual({ open_rate: 50, click_rate: 0 });
    expect(body.measured.totals).toEqual({
      open_rate: { measured: 8, of: 20 },
      click_rate: { measured: 0, of: 20 },
    });
    expect(body.rows.map(({ template, open_rate: rate }: any) => [template.name, rate])).toEqual([
      ['hello', 100],
      ['other', 0],
    ]);
    expect(body.measured.rows.map(({ open_rate: rate }: any) => rate)).toEqual([
      undefined,
      { measured: 4, of: 16 },
    ]);
  });

  test('is measured around days of which the provider tells, whatever a message bore', async () => {
    await messages(40 * DAY, 2, { tracked: 0 });
    await messages(HOUR, 2, { tracked: 0 });
    await admin.query(
      `INSERT INTO provider_event_days VALUES ($1, 'live', 'opened', $2), ($1, 'live', 'delivered', $2)`,
      [workspace.id, new Date(app.clock.now().getTime() - 5 * DAY)],
    );
    const config = { metrics: ['delivered', 'open_rate', 'click_rate'] };
    const { body } = await query(config, { date_range: '90d' });
    expect(body.measured.totals).toEqual({
      delivered: { measured: 2, of: 4 },
      open_rate: { measured: 2, of: 4 },
      click_rate: { measured: 0, of: 4 },
    });
  });
});

describe('every source', () => {
  test.each(DATA_SOURCES)('%s answers with each of its metrics by each of its dimensions', async (source) => {
    const { metrics, dimensions } = CATALOGUE[source];
    const keys = metrics.map(({ key }) => key);
    for (const list of [[], ...dimensions.map(({ key }) => [key])]) {
      const { status, body } = await query({ data_source: source, metrics: keys, dimensions: list });
      expect([list, status]).toEqual([list, 200]);
      expect(Object.keys(body.totals)).toEqual(keys);
      expect(body.report_id).toBeNull();
    }
  });
});

test('flows, campaigns and templates have names, and messages of none have null', async () => {
  const flow = randomUUID();
  await admin.query(
    `INSERT INTO flows (workspace_id, id, name, trigger_event, last_step_id, content_type, status, version, created_by, created_at, updated_at)
     VALUES ($1, $2, 'Welcome', 'x', 0, 'promotional', 'active', 1, 'me', now(), now())`,
    [workspace.id, flow],
  );
  await messages(HOUR, 2, { source: flow });
  await messages(HOUR, 1);
  const of = { ...SENT, dimensions: ['flow', 'template'] };
  expect((await query(of)).body.rows).toEqual([
    { flow: { id: flow, name: 'Welcome' }, template: { id: null, name: 'hello' }, sent: 2 },
    { flow: null, template: { id: null, name: 'hello' }, sent: 1 },
  ]);
  const filters = [{ field: 'flow', operator: 'equals', value: flow }];
  expect((await query({ ...of, filters })).body.totals).toEqual({ sent: 2 });
  const bySource = await query({ ...SENT, dimensions: ['source'] });
  expect(bySource.body.rows).toEqual([
    { source: 'flow', sent: 2 },
    { source: 'direct', sent: 1 },
  ]);
});

test.each([
  ['equals', 'example.com', 2],
  ['not_equals', 'example.com', 4],
  ['in', ['example.com', 'other.test'], 3],
  ['not_in', ['example.com', 'other.test'], 3],
  ['contains', 'EXAMPLE', 2],
  ['contains', '%', 0],
  ['contains', "' OR true --", 0],
])('a filter that %s %j', async (operator, value, sent) => {
  await messages(HOUR, 2);
  await messages(HOUR, 1, { to: 'b@other.test' });
  await messages(HOUR, 3, { to: 'b@third.test' });
  const { body } = await query({ ...SENT, filters: [{ field: 'recipient_domain', operator, value }] });
  expect(body.totals).toEqual({ sent });
});

test('a period has a row for every day, and one without facts too', async () => {
  await messages(2 * DAY, 1);
  const { body } = await query(
    { ...SENT, dimensions: ['date'] },
    { from_date: '2026-02-26', to_date: '2026-03-01' },
  );
  expect(body.date_range).toEqual({
    preset: null,
    from: '2026-02-26T00:00:00.000Z',
    to: '2026-03-01T23:59:59.999Z',
  });
  expect(body.rows).toEqual([
    { date: '2026-02-26', sent: 0 },
    { date: '2026-02-27', sent: 0 },
    { date: '2026-02-28', sent: 1 },
    { date: '2026-03-01', sent: 0 },
  ]);
});

test('more than a thousand rows are cut off, and the totals are those of everything; a file has them all', async () => {
  for (let domain = 0; domain < 1_005; domain++) await messages(HOUR, 1, { to: `a@d${domain}.test` });
  await messages(HOUR, 5, { to: 'a@largest.test' });
  const config = { ...SENT, dimensions: ['recipient_domain'] };
  const { body } = await query(config);
  expect([body.rows.length, body.truncated, body.totals]).toEqual([1_000, true, { sent: 1_010 }]);
  expect(body.rows[0]).toEqual({ recipient_domain: 'largest.test', sent: 5 });
  const file = await workspace.call('GET', `/v1/reports/${await report(config)}/export/csv`);
  const lines = String(file.body).trimEnd().split('\n');
  expect(lines.length).toBe(1_007);
  expect(lines[0]).toBe('Recipient domain,Sent');
  expect(lines[1]).toBe('largest.test,5');
});

describe('a file', () => {
  test('is an attachment with a header, raw numbers and guarded cells', async () => {
    await messages(HOUR, 1, { to: 'a@=cmd.test', opened: true });
    await messages(HOUR, 3, { to: 'a@b,"c.test', opened: true });
    await messages(HOUR, 5, { to: 'a@b,"c.test' });
    const id = await report(
      { metrics: ['sent', 'open_rate'], dimensions: ['recipient_domain'] },
      'Ünder "score"\r\nX: y',
    );
    const { status, body, headers } = await workspace.call(
      'GET',
      `/v1/reports/${id}/export/csv?date_range=7d`,
    );
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="under-score-x-y-2026-02-23-to-2026-03-02.csv"',
    );
    expect(body).toBe(`Recipient domain,Sent,Open rate\n"b,""c.test",8,37.5\n'=cmd.test,1,100\n`);
  });

  test('is 422 where the config cannot be run', async () => {
    const { status, body } = await workspace.call('GET', `/v1/reports/${await report({})}/export/csv`);
    expect([status, body.errors[0].field]).toEqual([422, 'config.metrics']);
  });
});

describe('what is kept', () => {
  test('is shown for five minutes for each report, version and period', async () => {
    await messages(HOUR, 1);
    const id = await report(SENT);
    const shown = async (search = ''): Promise<unknown[]> => {
      const { body } = await data(id, search);
      return [body.cached, body.totals.sent];
    };
    expect(await shown()).toEqual([false, 1]);
    await messages(HOUR, 1);
    app.clock.wind(MINUTE);
    expect(await shown()).toEqual([true, 1]);
    expect(await shown('?date_range=7d')).toEqual([false, 2]);
    expect(await shown('?compare=true')).toEqual([false, 2]);
    expect(await shown('?from_date=2026-01-01&to_date=2026-12-31')).toEqual([false, 2]);
    expect(await shown('?from_date=2026-01-01&to_date=2026-12-31')).toEqual([true, 2]);
    app.clock.wind(4 * MINUTE);
    expect(await shown()).toEqual([false, 2]);
    await workspace.call('PUT', `/v1/reports/${id}`, { config: SENT });
    expect(await shown()).toEqual([false, 2]);
  });

  test('is never a query', async () => {
    for (const sent of [1, 2]) {
      await messages(HOUR, 1);
      const { body } = await query(SENT);
      expect([body.cached, body.totals.sent]).toEqual([false, sent]);
    }
  });

  test('is the environment’s own', async () => {
    await messages(HOUR, 1);
    await messages(HOUR, 4, { environment: 'test' });
    const id = await report(SENT);
    const testKey = { 'x-api-key': workspace.testKey };
    expect((await data(id)).body.totals).toEqual({ sent: 1 });
    const { body } = await workspace.call('GET', `/v1/reports/${id}/data`, undefined, testKey);
    expect([body.cached, body.totals]).toEqual([false, { sent: 4 }]);
  });

  test('is no other workspace’s', async () => {
    await messages(HOUR, 1);
    const id = await report(SENT);
    await data(id);
    const other = await app.workspace();
    for (const path of ['data', 'export/csv']) {
      const { status, body } = await other.call('GET', `/v1/reports/${id}/${path}`);
      expect([status, body.code]).toEqual([404, 'report_not_found']);
    }
    expect((await other.call('POST', '/v1/reports/query', { config: SENT })).body.totals).toEqual({
      sent: 0,
    });
  });
});

test('a report that compares does so without being asked, and not where that is asked', async () => {
  const id = await report({ ...SENT, comparison_enabled: true });
  expect((await data(id)).body.comparison).not.toBeNull();
  expect((await data(id, '?compare=false')).body.comparison).toBeNull();
});

test.each([
  [{ data_source: 'mails' }, 'config.data_source'],
  [{ metrics: [] }, 'config.metrics'],
  [{ metrics: ['entered'] }, 'config.metrics[0]'],
  [{ metrics: ['sent', 'sent'] }, 'config.metrics[1]'],
  [{ ...SENT, dimensions: ['date', 'tag'] }, 'config.dimensions[1]'],
  [{ ...SENT, chart_type: 'donut' }, 'config.chart_type'],
  [{ ...SENT, filters: [{ field: 'tag', operator: 'equals', value: 'x' }] }, 'config.filters[0].field'],
  [{ ...SENT, filters: [{ field: 'status', operator: 'like', value: 'x' }] }, 'config.filters[0].operator'],
  [{ ...SENT, filters: [{ field: 'flow', operator: 'contains', value: 'x' }] }, 'config.filters[0].operator'],
  [{ ...SENT, filters: [{ field: 'flow', operator: 'equals', value: 'x' }] }, 'config.filters[0].value'],
  [{ ...SENT, filters: [{ field: 'status', operator: 'in', value: 'sent' }] }, 'config.filters[0].value'],
  [
    { ...SENT, filters: [{ field: 'status', operator: 'equals', value: 'queued' }] },
    'config.filters[0].value',
  ],
])('%j is 422 at %s', async (config, field) => {
  const { status, body } = await query(config);
  expect([status, body.code, body.errors[0].field]).toEqual([422, 'invalid_field', field]);
});

test.each([
  [{ date_range: 'fortnight' }, 'invalid_field'],
  [{ from_date: 'soon' }, 'invalid_date_param'],
  [{ from_date: '2026-03-02', to_date: '2026-03-01' }, 'invalid_date_param'],
])('%j is 422 %s', async (asked, code) => {
  const { status, body } = await query(SENT, asked);
  expect([status, body.code ?? body.detail.code]).toEqual([422, code]);
  const search = new URLSearchParams(asked as Record<string, string>).toString();
  const saved = await data(await report(SENT), `?${search}`);
  expect([saved.status, saved.body.code ?? saved.body.detail.code]).toEqual([422, code]);
});

test('a workspace that is read-only asks all the same', async () => {
  await admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [workspace.id]);
  app.clock.wind(MINUTE);
  expect((await query(SENT)).status).toBe(200);
  expect((await workspace.call('GET', '/v1/reports/fields')).status).toBe(200);
});

describe('GraphQL', () => {
  const CONFIG = { dataSource: 'email_logs', metrics: ['sent', 'open_rate'], dimensions: ['date'] };

  test('has the same data, and what is out of the ordinary in it', async () => {
    for (let week = 1; week <= 6; week++) await messages(3 * DAY + week * 7 * DAY, 10);
    await messages(3 * DAY, 100);
    const { body } = await workspace.graphql(
      `query ($config: ReportConfigInput!) { reportQuery(config: $config, dateRange: "7d") {
         reportId rows totals truncated anomalies { metric at value low high } } reportFields { key } }`,
      { config: CONFIG },
    );
    expect(body.errors).toBeUndefined();
    const { rows, totals, anomalies } = body.data.reportQuery;
    expect(totals).toEqual({ sent: 100, open_rate: 0 });
    expect(rows.length).toBe(8);
    expect(anomalies).toEqual([{ metric: 'sent', at: '2026-02-27', value: 100, low: 8, high: 12 }]);
    expect(body.data.reportFields.length).toBe(5);
  });

  test('shows the data of a report by its id', async () => {
    await messages(HOUR, 2);
    const id = await report(SENT);
    const { body } = await workspace.graphql(
      `query ($id: ID!) { reportData(id: $id, compare: true) { reportId totals comparison { change } } }`,
      { id },
    );
    expect(body.data.reportData).toEqual({
      reportId: id,
      totals: { sent: 2 },
      comparison: { change: { sent: null } },
    });
  });

  test('explains a number by what it was counted of', async () => {
    await messages(HOUR, 1, { opened: true });
    await messages(HOUR, 3, { to: 'grace@example.com' });
    await messages(2 * DAY, 30);
    const explain = `query ($config: ReportConfigInput!, $metric: String!, $row: JSON) {
      explainNumber(config: $config, metric: $metric, row: $row, dateRange: "7d") {
        value definition formula filter counters { key value } sample { id at fields } } }`;
    const ofRow = await workspace.graphql(explain, {
      config: CONFIG,
      metric: 'open_rate',
      row: { date: '2026-03-02', sent: 4, open_rate: 25 },
    });
    expect(ofRow.body.errors).toBeUndefined();
    const { sample, ...explained } = ofRow.body.data.explainNumber;
    expect(explained).toEqual({
      value: 25,
      definition: 'Opened, as a percentage of sent messages that did not bounce.',
      formula: '100 × Opened ÷ (Sent − Bounced), with two decimals; 0 where that is 0',
      filter: 'Date is 2026-03-02',
      counters: [
        { key: 'opened', value: 1 },
        { key: 'sent', value: 4 },
        { key: 'bounced', value: 0 },
      ],
    });
    expect(sample.map(({ fields }: any) => fields.to_email)).toEqual(['ada@example.com']);
    const total = await workspace.graphql(explain, { config: CONFIG, metric: 'sent' });
    expect(total.body.data.explainNumber).toMatchObject({ value: 34, filter: null });
    expect(total.body.data.explainNumber.sample.length).toBe(20);
    const wrong = await workspace.graphql(explain, { config: CONFIG, metric: 'clicked' });
    expect(wrong.body.errors[0].extensions.code).toBe('invalid_field');
  });

  test.each(DATA_SOURCES)('explains every metric of %s by every dimension', async (source) => {
    const { metrics, dimensions } = CATALOGUE[source];
    for (const { key } of metrics)
      for (const dimension of dimensions) {
        const { body } = await workspace.graphql(
          `query ($config: ReportConfigInput!, $metric: String!, $row: JSON) { explainNumber(config: $config, metric: $metric, row: $row) { value } }`,
          {
            config: { dataSource: source, metrics: [key], dimensions: [dimension.key] },
            metric: key,
            row: { [dimension.key]: null },
          },
        );
        expect([key, dimension.key, body.errors]).toEqual([key, dimension.key, undefined]);
      }
  });

  test('does not show addresses to whoever may not read them', async () => {
    await messages(HOUR, 1);
    await app.workspace();
    const headers = {
      authorization: `Bearer ${await memberToken('viewer')}`,
      'x-workspace-id': workspace.id,
    };
    const { body } = await app.request(
      'POST',
      '/graphql',
      { query: `{ explainNumber(config: { metrics: ["sent"] }, metric: "sent") { sample { fields } } }` },
      headers,
    );
    expect(body.data.explainNumber.sample[0].fields).toMatchObject({ status: 'sent', to_email: null });
  });

  test('has the figures of the first page', async () => {
    await messages(HOUR, 2);
    await messages(40 * DAY, 1);
    const { body } = await workspace.graphql(
      `{ homeFigures { from to figures { dataSource metric value change series { date value } } } }`,
    );
    const { figures } = body.data.homeFigures;
    expect(figures.map(({ metric }: any) => metric)).toEqual([
      'total',
      'created',
      'sent',
      'delivered',
      'opened',
      'clicked',
      'entered',
      'completed',
      'conversions',
      'active_flows',
    ]);
    expect(figures[2]).toMatchObject({ value: 2, change: 100 });
    expect(figures[2].series.length).toBe(31);
    expect(figures[2].series.at(-1)).toEqual({ date: '2026-03-02', value: 2 });
  });
});

/** A token of a new member of the workspace. */
async function memberToken(role: string): Promise<string> {
  const email = `${role}-${randomUUID()}@example.com`;
  workspace = await app.workspace({
    members: [
      { email: `owner-${randomUUID()}@example.com`, role: 'owner' },
      { email, role },
    ],
  });
  await messages(HOUR, 1);
  return app.token(email);
}
