/**
 * From the queue to the mail server and back into the ledger: one sender process that renders, builds and sends
 * newsletters of 27 KB, against nodemailer's pool, which only sends. The server answers immediately or after 50
 * ms. Also measures the fan-out into the queue, and how soon one urgent message leaves during a fan-out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, MAIL_EVENT, mailEvent, newsletterTemplate } from '../email.js';
import type { Comparison } from '../measure.js';
import { watched, type Effort, type Rate } from '../processor-time.js';
import type { Product } from '../product.js';
import { askOnce, Program } from '../program.js';
import type { FanOutQuestion } from '../references/fan-out.js';
import type { SmtpQuestion } from '../references/smtp.js';
import { mustEqual, type Run } from '../run.js';
import type { SinkQuestion, SinkReport } from '../sink.js';

const SLOW_ANSWER_MS = 50;
const TIMEOUT_MS = 180_000;
/** Seconds within which an urgent message must reach the mail server. */
const HURRY_SECONDS = 2;
/** Recipients of a fan-out; with fewer people than messages, each receives several. */
const PEOPLE = 2_000;

const PEOPLE_WITH_EVENTS = `
WITH people AS (
  INSERT INTO contacts (workspace_id, id, environment, external_id, email, first_name, properties, created_at, updated_at)
  SELECT $1, uuidv7(), 'live', $3 || '-' || i, $3 || '-' || i || '@example.test', 'User' || i,
    jsonb_build_object('vip', i % 3 = 0, 'tier', 'gold', 'currency', 'EUR'), now(), now()
  FROM generate_series(0, $2 - 1) AS i
  RETURNING id, external_id)
INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, occurred_at, received_at, processed_at)
SELECT $1, uuidv7(), 'live', external_id, '${MAIL_EVENT}', $4, now(), now(), now() FROM people`;

const MESSAGES = `
INSERT INTO email_logs (workspace_id, environment, status, next_attempt_at, created_at, updated_at, id, origin, origin_id,
  origin_step, contact_id, trigger_event_id, template_slug, content_type, priority, options, message_id)
SELECT $1, 'live', 'queued', now(), now(), now(), m.id, 'trip', uuidv7(), 0, m.contact_id, m.event_id, 'newsletter', $3,
  CASE $3 WHEN 'transactional' THEN 0 ELSE 1 END, '{}', '<' || m.id || '@mail.example.test>'
FROM (SELECT uuidv7() AS id, c.id AS contact_id, e.id AS event_id
  FROM contacts c JOIN events e ON e.workspace_id = c.workspace_id AND e.external_id = c.external_id
  CROSS JOIN generate_series(1, $4)
  WHERE c.workspace_id = $1 AND c.external_id LIKE $2 || '-%') AS m`;

interface Outcome {
  readonly perSecond: number;
  readonly effort: Effort;
}

export async function sending(run: Run): Promise<Comparison[]> {
  const sink = run.program('sink-server');
  const { port } = await ask<{ port: number }>(sink, { kind: 'listen' });
  const product = await run.product('bench_sending');
  const api = await product.startApi();
  await product.call(api, '/v1/templates', {
    name: 'Newsletter',
    slug: 'newsletter',
    subject: 'Your weekly picks',
    body_html: newsletterTemplate(),
  });
  await api.stop();
  const comparisons: Comparison[] = [];
  for (const delay of [0, SLOW_ANSWER_MS]) {
    const reference: Outcome[] = [];
    const ours: Outcome[] = [];
    for (const round of run.rounds) {
      const prefix = `round-${round}-${delay}`;
      reference.push(await pool(sink, { port, mails: run.scale.mails, prefix }, delay));
      ours.push(await queued(run, sink, product, port, prefix, delay));
    }
    comparisons.push({
      path: `queue → mail → ledger, 27 KB${delay > 0 ? `, answers after ${delay} ms` : ''}`,
      unit: 'mails/s',
      reference: reference.map(({ perSecond }) => perSecond),
      ours: ours.map(({ perSecond }) => perSecond),
      target: { atLeast: 1.5 },
      against: "nodemailer's pool of 5 alone, the mail rendered before",
      effort: {
        reference: reference.map(({ effort }) => effort),
        ours: ours.map(({ effort }) => effort),
      },
    });
  }
  comparisons.push(await fanOut(run, product), await hurry(run, sink, product, port));
  return comparisons;
}

async function pool(sink: Program, question: SmtpQuestion, delay: number): Promise<Outcome> {
  await ask(sink, { kind: 'reset', delay });
  const program = Program.start('references/smtp');
  try {
    const { seconds } = await watched({ program: program.pid }, () => program.ask<number>(question));
    return await outcome(sink, question.mails, seconds);
  } finally {
    await program.stop();
  }
}

async function queued(
  { postgres, scale }: Run,
  sink: Program,
  product: Product,
  port: number,
  prefix: string,
  delay: number,
): Promise<Outcome> {
  await renew(postgres, product, prefix, scale.mails);
  await ask(sink, { kind: 'reset', delay });
  const sender = await product.startWorker('sends', { SMTP_URL: `smtp://127.0.0.1:${port}` });
  const sent = `SELECT count(*) FROM email_logs WHERE status = 'sent'`;
  const { seconds } = await watched({ sender: sender.pid, PostgreSQL: postgres.pid }, async () => {
    await postgres.query(product.database, MESSAGES, [product.workspaceId, prefix, 'transactional', 1]);
    await within(async () => (await ask<number>(sink, { kind: 'count' })) >= scale.mails);
    await within(async () => (await postgres.number(product.database, sent)) === scale.mails);
  });
  await sender.stop();
  return outcome(sink, scale.mails, seconds);
}

/** From the first mail to the last, on both sides, which excludes the start of the programs. */
async function outcome(sink: Program, mails: number, seconds: Effort['seconds']): Promise<Outcome> {
  const report = await ask<SinkReport>(sink, { kind: 'report' });
  mustEqual('Mails at the sink', report.mails, mails);
  mustEqual('Recipients at the sink', report.recipients, mails);
  return {
    perSecond: ((mails - 1) * 1_000) / (report.lastAt - report.firstAt),
    effort: { units: mails, seconds },
  };
}

async function fanOut({ postgres, scale, rounds }: Run, product: Product): Promise<Comparison> {
  const { database, workspaceId } = product;
  await renew(postgres, product, 'fan-out', scale.fanOut);
  const once = async (way: FanOutQuestion['way']): Promise<Rate> => {
    await postgres.query(database, 'TRUNCATE email_logs');
    await postgres.query(database, 'CHECKPOINT');
    const rate = await askOnce<Rate>('references/fan-out', {
      databaseUrl: postgres.urlOf(database),
      postgresPid: postgres.pid,
      workspaceId,
      messages: scale.fanOut,
      way,
    } satisfies FanOutQuestion);
    const queued = `SELECT count(*) FROM email_logs WHERE status = 'queued' AND priority = 1 AND source_id IS NOT NULL`;
    mustEqual('Messages in the queue', await postgres.number(database, queued), scale.fanOut);
    return rate;
  };
  const reference: Rate[] = [];
  const ours: Rate[] = [];
  for (const _round of rounds) {
    reference.push(await once('one statement'));
    ours.push(await once('outbox'));
  }
  return {
    path: `fan-out of ${scale.fanOut.toLocaleString('en')} messages`,
    unit: 'messages/s',
    reference: reference.map(({ perSecond }) => perSecond),
    ours: ours.map(({ perSecond }) => perSecond),
    target: { atLeast: 0.6 },
    against: 'one INSERT … SELECT of the same rows, by a connection that no policy binds',
    effort: {
      reference: reference.map(({ effort }) => effort),
      ours: ours.map(({ effort }) => effort),
    },
  };
}

async function hurry(
  { postgres, scale, rounds }: Run,
  sink: Program,
  product: Product,
  port: number,
): Promise<Comparison> {
  const { database, workspaceId } = product;
  const ours: number[] = [];
  for (const round of rounds) {
    await renew(postgres, product, `crowd-${round}`, PEOPLE);
    await postgres.query(database, PEOPLE_WITH_EVENTS, peopleOf(workspaceId, 1, 'hurry'));
    const each = Math.ceil(scale.fanOut / PEOPLE);
    await postgres.query(database, MESSAGES, [workspaceId, `crowd-${round}`, 'promotional', each]);
    await postgres.query(database, 'VACUUM ANALYZE email_logs');
    await ask(sink, { kind: 'reset', delay: SLOW_ANSWER_MS });
    const sender = await product.startWorker('sends', { SMTP_URL: `smtp://127.0.0.1:${port}` });
    await within(async () => (await ask<number>(sink, { kind: 'count' })) > 100);
    const asked = Date.now();
    await postgres.query(database, MESSAGES, [workspaceId, 'hurry', 'transactional', 1]);
    let arrived: number | null = null;
    await within(async () => {
      arrived = await ask<number | null>(sink, { kind: 'arrival', recipient: addressOf('hurry', 0) });
      return arrived !== null;
    });
    ours.push(((arrived ?? Number.NaN) - asked) / 1_000);
    await sender.stop();
  }
  return {
    path: `a transactional message behind ${scale.fanOut.toLocaleString('en')} promotional ones`,
    unit: 's',
    reference: ours.map(() => HURRY_SECONDS),
    ours,
    target: { atMost: 1 },
    against: `${HURRY_SECONDS} s until the mail server has it`,
  };
}

/** Deletes everything and adds people with one event each. */
async function renew(
  postgres: Run['postgres'],
  { database, workspaceId }: Product,
  prefix: string,
  people: number,
): Promise<void> {
  await postgres.query(database, 'TRUNCATE events, contacts, trips, email_logs');
  await postgres.query(database, PEOPLE_WITH_EVENTS, peopleOf(workspaceId, people, prefix));
  await postgres.query(database, 'VACUUM ANALYZE contacts');
  await postgres.query(database, 'VACUUM ANALYZE events');
  await postgres.query(database, 'CHECKPOINT');
}

function peopleOf(workspaceId: string, people: number, prefix: string): unknown[] {
  return [workspaceId, people, prefix, JSON.stringify(mailEvent(prefix, 0).attributes)];
}

async function within(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('Not all mails have arrived and been noted in time.');
    await sleep(50);
  }
}

function ask<Reply>(sink: Program, question: SinkQuestion): Promise<Reply> {
  return sink.ask<Reply>(question);
}
