/**
 * Reports and analyses over HTTP, among ten million messages and five million trips of a tenant. The reference
 * counts the rows directly, by a plain connection without row-level policies, with parallel workers. Both must
 * return the same values. Also measures what rollups cost the writers.
 */
import pg from 'pg';
import { milliseconds, type Comparison, type Target } from '../measure.js';
import { rollupCosts } from '../rollup-costs.js';
import type { Product, Service } from '../product.js';
import {
  fillFacts,
  shareOf,
  SLUG,
  TEMPLATES,
  type FactFlow,
  type FactSizes,
  type FactTenant,
} from '../report-facts.js';
import {
  BY_DAY,
  BY_FLOW,
  COHORTS,
  COMPARE_FLOWS,
  DAY_STATISTICS,
  EMAIL_FUNNEL,
  EMAIL_METRICS,
  flowFunnel,
} from '../report-references.js';
import { mustEqual, type Run } from '../run.js';

const DATABASE = 'bench_reports';
const DAY_MS = 86_400_000;
const DAYS = 90;
const WEEKS = 12;
const FLOWS = 20;
const FLOWS_WITH_GOALS = 4;
const CAMPAIGNS = 30;
const SECOND_TENANT = 0.1;
/** Days covered by a file that has a row for each day and flow. */
const FILE_DAYS = 50;
const FILE_MS = 300;
const FILE_TIMES = 8;
const TIMES = 10;

/** Values by day, flow, or other dimension. */
type Figures = ReadonlyMap<string, readonly number[]>;
/** A row of a reference statement: `key` and numbers. */
type Row = Readonly<Record<string, unknown>>;

interface Fixture {
  readonly run: Run;
  readonly product: Product;
  readonly api: Service;
  readonly admin: pg.Client;
  readonly flows: readonly FactFlow[];
  /** Goals of the first flow. */
  readonly goalIds: readonly string[];
  readonly from: Date;
  readonly to: Date;
  /** Midnight UTC, the end of the facts. */
  readonly until: Date;
}

export async function reports(run: Run): Promise<Comparison[]> {
  const costs = await rollupCosts(run);
  const product = await run.product(DATABASE);
  const admin = new pg.Client({ connectionString: run.postgres.urlOf(DATABASE) });
  await admin.connect();
  try {
    const fixture = await filled(run, product, admin);
    return [
      await emailsByDay(fixture),
      await emailsByFlow(fixture),
      await funnelOfEmails(fixture),
      await funnelOfFlow(fixture),
      await comparedFlows(fixture),
      await cohorts(fixture),
      ...(await files(fixture)),
      ...costs,
    ];
  } finally {
    await admin.end();
  }
}

async function filled(run: Run, product: Product, admin: pg.Client): Promise<Fixture> {
  const { reportFacts: sizes } = run.scale;
  const making = await product.startApi();
  const first = await tenant(product, making, product.credentials, sizes, true);
  const second = await tenant(product, making, product.unlimited, shareOf(sizes, SECOND_TENANT), false);
  await making.stop();
  const until = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
  for (const line of await fillFacts(run.postgres.urlOf(DATABASE), [first, second], until)) console.log(line);
  await admin.query(`SET work_mem = '256MB'; ${DAY_STATISTICS}`);
  const { rows: goals } = await admin.query<{ id: string }>(
    'SELECT id FROM flow_goals WHERE flow_id = $1 ORDER BY position',
    [first.flows[0]?.id],
  );
  // Neither end is on an hour or a day.
  const to = new Date(until.getTime() - 37 * 60_000);
  return {
    ...{ run, product, admin, until, to, flows: first.flows },
    api: await product.startApi(),
    goalIds: goals.map(({ id }) => id),
    from: new Date(to.getTime() - DAYS * DAY_MS),
  };
}

/**
 * Creates templates, flows with goals, and campaigns if there is an owner to create them; otherwise campaigns are
 * only ids.
 */
async function tenant(
  product: Product,
  api: Service,
  as: Record<string, string>,
  sizes: FactSizes,
  hasCampaigns: boolean,
): Promise<FactTenant> {
  for (let i = 0; i < TEMPLATES; i++)
    await product.call(
      api,
      '/v1/templates',
      { name: `Template ${i}`, slug: `${SLUG}${i}`, subject: 'Your picks', body_html: '<p>Hello</p>' },
      as,
    );
  const flows: FactFlow[] = [];
  for (let i = 0; i < FLOWS; i++) flows.push(await flow(product, api, as, i));
  const campaignIds = Array.from({ length: CAMPAIGNS }, () => crypto.randomUUID() as string);
  if (hasCampaigns) campaignIds.splice(0, CAMPAIGNS, ...(await campaigns(product, api)));
  return { workspaceId: as['X-WORKSPACE-ID'] ?? '', flows, campaignIds, sizes };
}

async function flow(
  product: Product,
  api: Service,
  as: Record<string, string>,
  index: number,
): Promise<FactFlow> {
  const sends = 3 + (index % 4);
  const steps = Array.from({ length: 2 * sends - 1 }, (_, place) =>
    place % 2 === 0
      ? { type: 'send_email', template_slug: `${SLUG}${(index * 3 + place / 2) % TEMPLATES}` }
      : { type: 'wait', duration: '1d' },
  );
  const body = {
    name: `Flow ${index}`,
    trigger_event: `event_${index}`,
    content_type: index % 2 === 0 ? 'promotional' : 'transactional',
    steps,
  };
  const { id } = await product.call<{ id: string }>(api, '/v1/flows', body, as);
  for (let goal = 0; index < FLOWS_WITH_GOALS && goal < 2; goal++)
    await product.call(
      api,
      `/v1/flows/${id}/goals`,
      { name: `Goal ${goal}`, event_name: `event_${20 + goal}` },
      as,
    );
  const { version } = await product.call<{ version: number }>(api, `/v1/flows/${id}/activate`, {}, as);
  return { id, version, sends };
}

async function campaigns(product: Product, api: Service): Promise<string[]> {
  const ask = async <Answer>(query: string): Promise<Answer> =>
    (await product.call<{ data: Answer }>(api, '/graphql', { query }, product.owner)).data;
  const { template } = await ask<{ template: { id: string } }>(`{ template(slug: "${SLUG}0") { id } }`);
  const { createSegment: segment } = await ask<{ createSegment: { id: string } }>(
    `mutation { createSegment(input: { name: "Pro", match: "all", conditions: [{ field: "properties.plan", operator: "equals", value: "pro" }] }) { id } }`,
  );
  const ids: string[] = [];
  for (let i = 0; i < CAMPAIGNS; i++) {
    const body = { name: `Campaign ${i}`, template_id: template.id, segment_id: segment.id };
    ids.push((await product.call<{ id: string }>(api, '/v1/campaigns', body, product.owner)).id);
  }
  return ids;
}

async function emailsByDay(fixture: Fixture): Promise<Comparison> {
  const config = { data_source: 'email_logs', metrics: EMAIL_METRICS, dimensions: ['date'] };
  return compared(fixture, {
    path: `emails of ${DAYS} days by day, POST /v1/reports/query`,
    target: { atMost: 1 / 50 },
    sql: BY_DAY,
    ours: async () => {
      const { rows } = await ask<{ rows: readonly Row[] }>(fixture, 'query', { config });
      return new Map(rows.map((row) => [String(row['date']), EMAIL_METRICS.map((key) => Number(row[key]))]));
    },
  });
}

async function emailsByFlow(fixture: Fixture): Promise<Comparison> {
  const config = { data_source: 'email_logs', metrics: EMAIL_METRICS, dimensions: ['flow'] };
  return compared(fixture, {
    path: `emails of ${DAYS} days by flow, POST /v1/reports/query`,
    target: { atMost: 1 / 50 },
    sql: BY_FLOW,
    ours: async () => {
      const { rows } = await ask<{ rows: readonly (Row & { flow: { id: string } | null })[] }>(
        fixture,
        'query',
        { config },
      );
      return new Map(rows.map((row) => [row.flow?.id ?? '', EMAIL_METRICS.map((key) => Number(row[key]))]));
    },
  });
}

async function funnelOfEmails(fixture: Fixture): Promise<Comparison> {
  return compared(fixture, {
    path: `funnel of emails of ${DAYS} days, POST /v1/reports/funnel`,
    target: { atMost: 1 / 20 },
    sql: EMAIL_FUNNEL,
    ours: () => stages(fixture, { type: 'email' }),
  });
}

async function funnelOfFlow(fixture: Fixture): Promise<Comparison> {
  const { goalIds } = fixture;
  const [{ id, sends }] = fixture.flows as [FactFlow];
  const steps = Array.from({ length: 2 * sends - 1 }, (_, index) => index + 1);
  return compared(fixture, {
    path: `funnel of a flow of ${DAYS} days, POST /v1/reports/funnel`,
    target: { atMost: 1 / 20 },
    sql: flowFunnel(steps, goalIds.length),
    values: [id, ...goalIds],
    ours: () => stages(fixture, { type: 'flow', flow_id: id }),
  });
}

async function stages(fixture: Fixture, body: object): Promise<Figures> {
  const answer = await ask<{ stages: readonly { count: number }[] }>(fixture, 'funnel', body);
  return new Map([['all', answer.stages.map(({ count }) => count)]]);
}

/** Counts of a flow, as the reference statement returns them. */
interface FlowCounts {
  readonly entered: number;
  readonly completed: number;
  readonly conversions: number;
  readonly sent: number;
  readonly opened: number;
  readonly clicked: number;
  readonly bounced: number;
  readonly unsubscribed: number;
}

async function comparedFlows(fixture: Fixture): Promise<Comparison> {
  const ids = fixture.flows.slice(0, 4).map(({ id }) => id);
  const percent = (part: number, whole: number): number =>
    whole === 0 ? 0 : Math.round((part * 10_000) / whole) / 100;
  return compared(fixture, {
    path: `four flows of ${DAYS} days, POST /v1/reports/compare-flows`,
    target: { atMost: 1 / 20 },
    sql: COMPARE_FLOWS,
    values: [ids],
    shown: (row) => {
      const flow = row as unknown as FlowCounts;
      const arrived = flow.sent - flow.bounced;
      return [
        ...[flow.entered, flow.completed, flow.conversions, flow.sent, flow.unsubscribed],
        ...[percent(flow.completed, flow.entered), percent(flow.conversions, flow.entered)],
        ...[percent(flow.opened, arrived), percent(flow.clicked, arrived)],
      ];
    },
    ours: async () => {
      const { flows } = await ask<{ flows: readonly Row[] }>(fixture, 'compare-flows', { flow_ids: ids });
      const keys = [
        ...['entered', 'completed', 'conversions', 'sent', 'unsubscribed'],
        ...['completion_rate', 'conversion_rate', 'open_rate', 'click_rate'],
      ];
      return new Map(flows.map((flow) => [String(flow['flow_id']), keys.map((key) => Number(flow[key]))]));
    },
  });
}

interface CohortAnswer {
  readonly cohorts: readonly {
    readonly start: string;
    readonly size: number;
    readonly values: readonly { readonly index: number; readonly count: number }[];
  }[];
}

/** Whole weeks up to the last Sunday. People who were active this week count as returning. */
async function cohorts(fixture: Fixture): Promise<Comparison> {
  const { until } = fixture;
  const monday = until.getTime() - ((until.getUTCDay() + 6) % 7) * DAY_MS;
  const from = new Date(monday - WEEKS * 7 * DAY_MS);
  const to = new Date(monday - 1);
  const question = { cohort_by: 'contact_created', period: 'week', periods: WEEKS, return_by: 'any' };
  return compared(fixture, {
    path: `cohorts of ${WEEKS} weeks, who came back at all, POST /v1/reports/cohort`,
    target: { atMost: 1 / 5 },
    sql: COHORTS,
    period: { from, to },
    values: [new Date(monday + 7 * DAY_MS), WEEKS],
    times: 3,
    ours: async () => {
      const answer = await ask<CohortAnswer>(fixture, 'cohort', { ...question, ...dates({ from, to }) });
      return new Map(
        answer.cohorts.flatMap(({ start, size, values }) => [
          [`${start} size`, [size]] as const,
          // The reference returns no row for an empty result.
          ...values
            .filter(({ count }) => count > 0)
            .map(({ index, count }) => [`${start} ${index}`, [count]] as const),
        ]),
      );
    },
  });
}

interface Looks {
  readonly path: string;
  readonly target: Target;
  readonly sql: string;
  /** Parameters after workspace and period. */
  readonly values?: readonly unknown[];
  readonly period?: { readonly from: Date; readonly to: Date };
  /** The values of a reference row: by default all its numbers. */
  readonly shown?: (row: Row) => readonly number[];
  readonly ours: () => Promise<Figures>;
  readonly times?: number;
}

async function compared(fixture: Fixture, looks: Looks): Promise<Comparison> {
  const { run, admin, product } = fixture;
  const { path, target, sql, period = fixture, shown = numbers, times = TIMES } = looks;
  const values = [product.workspaceId, period.from, period.to, ...(looks.values ?? [])];
  const byHand = async (indexes: boolean): Promise<{ figures: Figures; took: number }> => {
    await admin.query(`SET enable_indexscan = ${indexes}; SET enable_bitmapscan = ${indexes}`);
    const begun = performance.now();
    const { rows } = await admin.query<Row>(sql, values);
    const took = performance.now() - begun;
    return { figures: new Map(rows.map((row) => [String(row['key']), shown(row)])), took };
  };
  // The planner's choice is not always the fastest; the faster of the two is the reference.
  const both = [await byHand(true), await byHand(false)] as const;
  const indexes = both[0].took < both[1].took;
  const expected = both[0].figures;
  if (expected.size === 0) throw new Error(`${path}: nothing is counted by hand.`);
  const [reference, ours]: [number[], number[]] = [[], []];
  for (const _ of run.rounds) {
    reference.push((await byHand(indexes)).took);
    ours.push(await milliseconds(times, async () => mustAgree(path, await looks.ours(), expected)));
  }
  // Printed immediately, because the other measurements take a while.
  console.log(
    `${path}: ${ours.map(Math.round).join(', ')} ms, by hand ${reference.map(Math.round).join(', ')} ms`,
  );
  const against = 'the same counted from the rows by one statement, with parallel workers';
  return { path, unit: 'ms', reference, ours, target, against };
}

function numbers(row: Row): number[] {
  return Object.values(row).filter((value) => typeof value === 'number');
}

/** @throws Error with the first difference. */
function mustAgree(path: string, found: Figures, expected: Figures): void {
  for (const [key, figures] of expected) {
    const ours = found.get(key);
    if (String(ours) !== String(figures))
      throw new Error(`${path}, ${key}: ${String(ours)} found, ${String(figures)} expected.`);
  }
  mustEqual(`${path}: rows`, found.size, expected.size);
}

/** Files of a thousand rows, each for other days, so that none is cached. */
async function files(fixture: Fixture): Promise<Comparison[]> {
  const { run, product, api, until } = fixture;
  const last = (turn: number): number => until.getTime() - (2 + (turn % (DAYS - FILE_DAYS))) * DAY_MS;
  const config = {
    data_source: 'email_logs',
    metrics: EMAIL_METRICS,
    dimensions: ['date', 'flow'],
    filters: [{ field: 'source', operator: 'equals', value: 'flow' }],
    chart_type: 'area',
  };
  const file = async (path: string, kind: string, check: (content: string) => void): Promise<Comparison> => {
    const { id } = await product.call<{ id: string }>(api, '/v1/reports', { name: path, config });
    const ours: number[] = [];
    let turn = 0;
    for (const _ of run.rounds)
      ours.push(
        await milliseconds(FILE_TIMES, async () => {
          const to = last(turn++);
          const days = dates({ from: new Date(to - (FILE_DAYS - 1) * DAY_MS), to: new Date(to) });
          const period = `from_date=${days.from_date.slice(0, 10)}&to_date=${days.to_date.slice(0, 10)}`;
          const url = `http://127.0.0.1:${api.port}/v1/reports/${id}/export/${kind}?${period}`;
          const answer = await fetch(url, { headers: product.credentials });
          const content = await answer.text();
          if (!answer.ok) throw new Error(`${url}: ${answer.status} ${content}`);
          check(content);
        }),
      );
    return {
      path,
      unit: 'ms',
      reference: ours.map(() => FILE_MS),
      ours,
      target: { atMost: 1 },
      against: `${FILE_MS} ms`,
    };
  };
  const rows = FILE_DAYS * FLOWS;
  return [
    await file(`CSV of ${rows.toLocaleString('en')} rows`, 'csv', (content) =>
      mustEqual('Lines of the file', content.trimEnd().split('\n').length, rows + 1),
    ),
    await file(`the printable page of ${rows.toLocaleString('en')} rows`, 'pdf', (content) => {
      mustEqual('Charts of the page', content.includes('<svg') ? 1 : 0, 1);
      // The table's head and its first hundred rows.
      mustEqual('Rows of the page', content.split('<tr').length - 1, 101);
    }),
  ];
}

function dates({ from, to }: { readonly from: Date; readonly to: Date }): {
  from_date: string;
  to_date: string;
} {
  return { from_date: from.toISOString(), to_date: to.toISOString() };
}

/** Sends a request for the fixture's period, unless the body names another. */
function ask<Answer>(fixture: Fixture, path: string, body: object): Promise<Answer> {
  return fixture.product.call<Answer>(fixture.api, `/v1/reports/${path}`, { ...dates(fixture), ...body });
}
