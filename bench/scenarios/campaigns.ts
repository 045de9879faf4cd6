/**
 * Campaigns: the time to queue an audience of half a million, the time from the send call to the last of ten
 * thousand newsletters at the mail server, the time to read recipients and statistics of a campaign of a million,
 * and the latency of a pause while messages leave at full speed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newsletterTemplate, mailEvent } from '../email.js';
import { residentMegabytes } from '../machine.js';
import { milliseconds, type Comparison } from '../measure.js';
import { rated, watched, type Effort, type Rate } from '../processor-time.js';
import type { Product, Service } from '../product.js';
import { askOnce, type Program } from '../program.js';
import type { SmtpQuestion } from '../references/smtp.js';
import { mustEqual, type Run } from '../run.js';
import type { SinkQuestion, SinkReport } from '../sink.js';

const DATABASE = 'bench_campaigns';
const TIMEOUT_MS = 300_000;
/** Megabytes by which the worker may grow while it expands an audience. */
const MEMORY_MB = 100;
const PAUSE_MS = 1_000;
const PAGE = 50;

interface Fixture {
  readonly run: Run;
  readonly product: Product;
  readonly api: Service;
  readonly admin: pg.Client;
  readonly templateId: string;
  readonly segmentId: string;
  /** The segment with one in twenty-five of all contacts. */
  readonly fewId: string;
}

export async function campaigns(run: Run): Promise<Comparison[]> {
  const product = await run.product(DATABASE);
  const api = await product.startApi();
  const admin = new pg.Client({ connectionString: run.postgres.urlOf(DATABASE) });
  await admin.connect();
  try {
    const fixture = { run, product, api, admin, ...(await makings(product, api)) };
    return [...(await audience(fixture)), ...(await mailed(fixture)), ...(await looked(fixture))];
  } finally {
    await admin.end();
  }
}

async function makings(
  product: Product,
  api: Service,
): Promise<Pick<Fixture, 'templateId' | 'segmentId' | 'fewId'>> {
  await product.call(api, '/v1/templates', {
    ...{ name: 'Newsletter', slug: 'newsletter', subject: 'Your weekly picks' },
    body_html: newsletterTemplate('contact'),
  });
  const ask = async <Answer>(query: string, variables: object = {}): Promise<Answer> =>
    (await product.call<{ data: Answer }>(api, '/graphql', { query, variables }, product.owner)).data;
  const segment = async (name: string, conditions: readonly object[]): Promise<string> => {
    const { createSegment } = await ask<{ createSegment: { id: string } }>(
      'mutation ($input: CreateSegmentInput!) { createSegment(input: $input) { id } }',
      { input: { name, match: 'all', conditions } },
    );
    return createSegment.id;
  };
  const { template } = await ask<{ template: { id: string } }>('{ template(slug: "newsletter") { id } }');
  return {
    templateId: template.id,
    segmentId: await segment('Pro', [
      { field: 'properties.plan', operator: 'equals', value: 'pro' },
      { field: 'tags', operator: 'contains', value: 'beta' },
    ]),
    fewId: await segment('Few', [{ field: 'properties.few', operator: 'equals', value: true }]),
  };
}

/** Every second contact is in the segment. */
const CONTACTS = `
INSERT INTO contacts (workspace_id, environment, id, external_id, email, first_name, properties, tags, created_at, updated_at)
SELECT $1, 'live', uuidv7(), $3 || '-' || i, $3 || '-' || i || '@example.test', 'User' || i,
  $4::jsonb || jsonb_build_object('few', i % 25 = 0, 'plan', CASE WHEN i < $2 THEN 'pro' ELSE 'free' END, 'vip', i % 3 = 0, 'tier', 'gold'),
  CASE WHEN i % 2 = 0 THEN '{vip,beta}'::text[] ELSE '{beta}' END, now(), now()
FROM generate_series(0, 2 * $2 - 1) AS i`;

/** The same rows by plain SQL: a message and a recipient each. */
const BY_HAND = `
WITH found AS (
  SELECT c.id AS contact_id, uuidv7() AS id, row_number() OVER (ORDER BY c.id) - 1 AS place FROM contacts c
  WHERE c.workspace_id = $1 AND c.environment = 'live' AND c.subscription_status <> 'deleted'
    AND lower(c.properties ->> 'plan') = 'pro' AND c.tags && '{beta}'),
queued AS (
  INSERT INTO email_logs (workspace_id, environment, status, next_attempt_at, created_at, updated_at, id, source_id, origin,
    origin_id, origin_step, contact_id, template_slug, content_type, priority, options, message_id, counts)
  SELECT $1, 'live', 'queued', now(), now(), now(), id, $2, 'campaign', $3, 0, contact_id, 'newsletter', 'promotional', 1,
    $4, '<' || id || '@mail.example.test>', false FROM found)
INSERT INTO campaign_recipients (workspace_id, environment, instance_id, contact_id, place, variant, email_log_id)
SELECT $1, 'live', $3, contact_id, place, 0, id FROM found`;

async function audience(fixture: Fixture): Promise<Comparison[]> {
  const { run, product, api, admin } = fixture;
  const people = run.scale.audience;
  await fill(fixture, people, 'audience', '{}');
  const postgres = { PostgreSQL: run.postgres.pid };
  const reference: Rate[] = [];
  const ours: Rate[] = [];
  const grown: number[] = [];
  for (const _ of run.rounds) {
    await emptied(admin);
    reference.push(
      await rated(people, postgres, async () => {
        const ids = [crypto.randomUUID(), crypto.randomUUID()];
        await admin.query(BY_HAND, [
          product.workspaceId,
          ...ids,
          JSON.stringify({ frozen_template_id: ids[0] }),
        ]);
      }),
    );
    await queuedAll(admin, people);
    await emptied(admin);
    const worker = await product.startWorker('campaigns');
    // Warm-up: loads code, fills caches, and lets the heap reach its usual size.
    await taken(fixture, await sent(fixture, fixture.fewId));
    await emptied(admin);
    const before = residentMegabytes(worker.pid);
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, residentMegabytes(worker.pid))), 20);
    ours.push(
      await rated(people, { worker: worker.pid, API: api.pid, ...postgres }, async () => {
        await taken(fixture, await sent(fixture));
      }),
    );
    clearInterval(watch);
    grown.push(peak - before);
    await queuedAll(admin, people);
    await worker.stop();
  }
  return [
    {
      path: `audience of ${people.toLocaleString('en')}, from send to all queued`,
      unit: 'contacts/s',
      reference: reference.map(({ perSecond }) => perSecond),
      ours: ours.map(({ perSecond }) => perSecond),
      target: { atLeast: 0.5 },
      against:
        'one INSERT … SELECT of the same messages and recipients, by a connection that no policy binds',
      effort: { reference: reference.map(({ effort }) => effort), ours: ours.map(({ effort }) => effort) },
    },
    {
      path: 'resident memory that the worker grows by, behind one to a few',
      unit: 'MB',
      reference: grown.map(() => MEMORY_MB),
      ours: grown,
      target: { atMost: 1 },
      against: `a bound of ${MEMORY_MB} MB`,
    },
  ];
}

interface Outcome {
  readonly perSecond: number;
  readonly effort: Effort;
}

async function mailed(fixture: Fixture): Promise<Comparison[]> {
  const { run, product, admin } = fixture;
  const sink = run.program('sink-server');
  const { port } = await ask<{ port: number }>(sink, { kind: 'listen' });
  const { mails } = run.scale;
  const reference: Outcome[] = [];
  const ours: Outcome[] = [];
  const pauses: number[] = [];
  for (const round of run.rounds) {
    const prefix = `mail-${round}`;
    await ask(sink, { kind: 'reset', delay: 0 });
    reference.push(await byPool(sink, { port, mails, prefix }));
    await fill(fixture, mails, prefix, JSON.stringify(mailEvent(prefix, 0).attributes));
    await emptied(admin);
    await ask(sink, { kind: 'reset', delay: 0 });
    const worker = await product.startWorker('campaigns,sends', { SMTP_URL: `smtp://127.0.0.1:${port}` });
    const begunAt = Date.now();
    const { seconds } = await watched({ worker: worker.pid, PostgreSQL: run.postgres.pid }, async () => {
      await sent(fixture);
      await within(async () => (await ask<number>(sink, { kind: 'count' })) >= mails);
    });
    ours.push(await outcome(sink, mails, begunAt, seconds));
    // Again, this time to be stopped midway.
    await emptied(admin);
    await ask(sink, { kind: 'reset', delay: 0 });
    const id = await sent(fixture);
    await within(async () => (await ask<number>(sink, { kind: 'count' })) >= mails / 5);
    const asked = performance.now();
    await product.call(fixture.api, `/v1/campaigns/${id}/pause`, undefined, product.owner);
    pauses.push(performance.now() - asked);
    await worker.stop();
  }
  return [
    {
      path: `${mails.toLocaleString('en')} mails of 27 KB, from send to the last at the mail server`,
      unit: 'mails/s',
      reference: reference.map(({ perSecond }) => perSecond),
      ours: ours.map(({ perSecond }) => perSecond),
      target: { atLeast: 1.3 },
      against: "nodemailer's pool of 5 alone, the mail rendered before",
      effort: { reference: reference.map(({ effort }) => effort), ours: ours.map(({ effort }) => effort) },
    },
    {
      path: 'a pause while messages leave at full speed',
      unit: 'ms',
      reference: pauses.map(() => PAUSE_MS),
      ours: pauses,
      target: { atMost: 1 },
      against: `${PAUSE_MS} ms until it has answered`,
    },
  ];
}

async function byPool(sink: Program, question: SmtpQuestion): Promise<Outcome> {
  const begunAt = await askOnce<number>('references/smtp', question);
  return outcome(sink, question.mails, begunAt, {});
}

async function outcome(
  sink: Program,
  mails: number,
  begunAt: number,
  seconds: Effort['seconds'],
): Promise<Outcome> {
  const report = await ask<SinkReport>(sink, { kind: 'report' });
  mustEqual('Mails at the mail server', report.mails, mails);
  mustEqual('Recipients at the mail server', report.recipients, mails);
  return { perSecond: (mails * 1_000) / (report.lastAt - begunAt), effort: { units: mails, seconds } };
}

const RECIPIENTS = `
SELECT r.contact_id, c.external_id, c.email, r.skipped, r.variant, r.email_log_id, l.status, l.suppressed_reason, l.error_code,
  l.sent_at, l.delivered_at, l.opened_at, l.clicked_at, l.bounced_at
FROM (SELECT * FROM campaign_recipients WHERE workspace_id = $1 AND instance_id = $2 ORDER BY contact_id LIMIT $3 OFFSET $4) AS r
JOIN contacts c ON c.workspace_id = $1 AND c.id = r.contact_id
LEFT JOIN email_logs l ON l.workspace_id = $1 AND l.id = r.email_log_id ORDER BY r.contact_id`;
const COUNTED = `
SELECT count(*) FILTER (WHERE l.status = 'sent') AS sent, count(*) FILTER (WHERE l.status = 'queued') AS pending,
  count(*) FILTER (WHERE r.skipped IS NOT NULL) AS skipped, count(l.opened_at) AS opened, count(l.clicked_at) AS clicked
FROM campaign_recipients r LEFT JOIN email_logs l ON l.workspace_id = $1 AND l.id = r.email_log_id
WHERE r.workspace_id = $1 AND r.instance_id = $2`;

async function looked(fixture: Fixture): Promise<Comparison[]> {
  const { run, product, api, admin } = fixture;
  const people = run.scale.recipients;
  await fill(fixture, people, 'looked', '{}');
  await emptied(admin);
  const worker = await product.startWorker('campaigns');
  const id = await sent(fixture);
  await taken(fixture, id);
  const { rows } = await admin.query<{ id: string }>(
    'SELECT id FROM campaign_instances WHERE campaign_id = $1',
    [id],
  );
  const instance = rows[0]?.id ?? '';
  await worker.stop();
  for (const table of ['campaign_recipients', 'email_logs']) await admin.query(`VACUUM ANALYZE ${table}`);
  const get = async (path: string): Promise<{ recipients: unknown[]; sent: number }> => {
    const answer = await fetch(`http://127.0.0.1:${api.port}/v1/campaigns/${id}${path}`, {
      headers: product.owner,
    });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}.`);
    return (await answer.json()) as { recipients: unknown[]; sent: number };
  };
  const { workspaceId } = product;
  const compared = async (path: string, { byHand, byUs, against, times }: Looks): Promise<Comparison> => {
    const reference: number[] = [];
    const ours: number[] = [];
    for (const _ of run.rounds) {
      let expected = -1;
      reference.push(await milliseconds(times, async () => void (expected = await byHand())));
      ours.push(await milliseconds(times, async () => mustEqual(path, await byUs(), expected)));
    }
    return { path, unit: 'ms', reference, ours, target: { atMost: 2 }, against };
  };
  const ofMany = people.toLocaleString('en');
  const page = (number: number): Promise<Comparison> => {
    const offset = (number - 1) * PAGE;
    return compared(`page ${number.toLocaleString('en')} of the recipients of ${ofMany}`, {
      byHand: async () => {
        await get('');
        return (await admin.query(RECIPIENTS, [workspaceId, instance, PAGE, offset])).rowCount ?? -1;
      },
      byUs: async () => (await get(`/recipients?limit=${PAGE}&offset=${offset}`)).recipients.length,
      against: 'the same person’s request for one record, and the best statement beside it',
      times: 100,
    });
  };
  return [
    await page(1),
    await page(1_000),
    await compared(`numbers of a campaign to ${ofMany}`, {
      byHand: async () =>
        Number((await admin.query<{ sent: string }>(COUNTED, [workspaceId, instance])).rows[0]?.sent),
      byUs: async () => (await get('/analytics')).sent,
      against: 'the messages counted by hand',
      times: 3,
    }),
  ];
}

interface Looks {
  readonly byHand: () => Promise<number>;
  readonly byUs: () => Promise<number>;
  readonly against: string;
  readonly times: number;
}

/** Replaces all contacts: `count` in the segment, and as many outside it. */
async function fill(
  { product, admin }: Fixture,
  people: number,
  prefix: string,
  data: string,
): Promise<void> {
  await admin.query('TRUNCATE contacts, contact_counts');
  await admin.query(CONTACTS, [product.workspaceId, people, prefix, data]);
  await admin.query('VACUUM ANALYZE contacts');
}

async function emptied(admin: pg.Client): Promise<void> {
  await admin.query(
    'TRUNCATE email_logs, campaign_recipients, campaign_instances, campaign_tallies, campaigns',
  );
  await admin.query('CHECKPOINT');
}

async function queuedAll(admin: pg.Client, people: number): Promise<void> {
  for (const table of ['email_logs', 'campaign_recipients']) {
    const { rows } = await admin.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
    mustEqual(`Rows of ${table}`, Number(rows[0]?.count), people);
  }
}

/** Creates a campaign and sends it; returns its id. */
async function sent(
  { product, api, templateId, segmentId }: Fixture,
  to: string = segmentId,
): Promise<string> {
  const { id } = await product.call<{ id: string }>(
    api,
    '/v1/campaigns',
    { name: 'Weekly picks', template_id: templateId, segment_id: to },
    product.owner,
  );
  await product.call(api, `/v1/campaigns/${id}/send`, {}, product.owner);
  return id;
}

/** Waits until the audience of a campaign is queued. */
async function taken({ admin }: Fixture, id: string): Promise<void> {
  const isTaken = 'SELECT FROM campaign_instances WHERE campaign_id = $1 AND is_taken';
  await within(async () => (await admin.query(isTaken, [id])).rowCount === 1);
}

async function within(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('It has not come about in time.');
    await sleep(25);
  }
}

function ask<Reply>(sink: Program, question: SinkQuestion): Promise<Reply> {
  return sink.ask<Reply>(question);
}
