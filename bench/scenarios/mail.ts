/**
 * From the event to the mail server: events are posted one by one, and each starts a trip whose first step sends a
 * personal newsletter of 27 KB. API, engine and senders are one process. The reference is nodemailer's pool, which
 * only sends. Every event must produce its mail, and samples must have the right content.
 */
import PostalMime from 'postal-mime';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, greetingOf, MAIL_EVENT, newsletterTemplate } from '../email.js';
import { runLoad } from '../load.js';
import type { Comparison } from '../measure.js';
import { watched, type Effort } from '../processor-time.js';
import type { Product, Service } from '../product.js';
import { Program } from '../program.js';
import type { SmtpQuestion } from '../references/smtp.js';
import { mustEqual, type Run } from '../run.js';
import type { SinkQuestion, SinkReport } from '../sink.js';

const CONNECTIONS = 64;
const TIMEOUT_MS = 180_000;
/** The first mail is early enough within this many seconds, or within this share of the total. */
const EARLY_SECONDS = 1;
const EARLY_SHARE = 0.02;

interface Outcome {
  readonly perSecond: number;
  readonly seconds: number;
  readonly firstAfterSeconds: number;
  readonly effort: Effort;
}

export async function mail(run: Run): Promise<Comparison[]> {
  const { sink, port } = await sinkOf(run);
  const sending = await mailingProduct(run, port, 'bench_mail');

  const reference: Outcome[] = [];
  const ours: Outcome[] = [];
  for (const round of run.rounds) {
    const prefix = `round-${round}`;
    reference.push(await onlySend(sink, { port, mails: run.scale.mails, prefix }));
    ours.push(await fromEvents(run, sink, sending, prefix));
  }
  return [
    {
      path: 'event → flow → mail, 27 KB',
      unit: 'mails/s',
      reference: reference.map(({ perSecond }) => perSecond),
      ours: ours.map(({ perSecond }) => perSecond),
      target: { atLeast: 0.8 },
      against: "nodemailer's pool of 5 alone, the mail rendered before",
      effort: {
        reference: reference.map(({ effort }) => effort),
        ours: ours.map(({ effort }) => effort),
      },
    },
    {
      path: 'event → flow → mail, the first mail',
      unit: 's',
      reference: ours.map(({ seconds }) => Math.max(seconds * EARLY_SHARE, EARLY_SECONDS)),
      ours: ours.map(({ firstAfterSeconds }) => firstAfterSeconds),
      target: { atMost: 1 },
      against: '2% of the whole time, or 1 s',
    },
  ];
}

/** A mail server that accepts everything. */
export async function sinkOf(run: Run): Promise<{ readonly sink: Program; readonly port: number }> {
  const sink = run.program('sink-server');
  return { sink, port: (await ask<{ port: number }>(sink, 'listen')).port };
}

interface MailingProduct {
  readonly product: Product;
  readonly service: Service;
}

/** API and workers on their own database, with a flow that sends the newsletter to everyone. */
export async function mailingProduct(run: Run, port: number, database: string): Promise<MailingProduct> {
  const product = await run.product(database);
  const service = await product.startAll(`smtp://127.0.0.1:${port}`);
  const template = {
    name: 'Newsletter',
    slug: 'newsletter',
    subject: 'Your weekly picks',
    body_html: newsletterTemplate(),
  };
  const { validation_errors: faults } = await product.call<{ validation_errors: unknown[] }>(
    service,
    '/v1/templates',
    template,
  );
  if (faults.length > 0) throw new Error(`The newsletter is not valid: ${JSON.stringify(faults)}`);
  await product.activeFlow(service, MAIL_EVENT, [{ type: 'send_email', template_slug: 'newsletter' }]);
  return { product, service };
}

async function onlySend(sink: Program, question: SmtpQuestion): Promise<Outcome> {
  await ask(sink, 'reset');
  const program = Program.start('references/smtp');
  try {
    const { result: begunAt, seconds } = await watched({ program: program.pid }, () =>
      program.ask<number>(question),
    );
    return outcome(begunAt, await ask<SinkReport>(sink, 'report'), question.mails, seconds);
  } finally {
    await program.stop();
  }
}

/**
 * Posts the events and waits for all mails.
 * @param prefix of the people, who are new contacts.
 */
export async function fromEvents(
  { postgres, scale }: Run,
  sink: Program,
  { product, service }: MailingProduct,
  prefix: string,
): Promise<Outcome> {
  const { database, credentials: headers } = product;
  await postgres.query(database, 'TRUNCATE events, contacts, trips, email_logs');
  await postgres.query(database, 'CHECKPOINT');
  await ask(sink, 'reset');
  const processes = { 'API and workers': service.pid, PostgreSQL: postgres.pid };
  const { result: load, seconds } = await watched(processes, async () => {
    const report = await runLoad({
      port: service.port,
      path: '/v1/events',
      headers,
      bodies: { kind: 'mail events', people: scale.mails, prefix },
      connections: CONNECTIONS,
      pace: { kind: 'each once' },
    });
    await within(TIMEOUT_MS, async () => (await ask<number>(sink, 'count')) >= scale.mails);
    return report;
  });
  // After the mail, the ledger records the outcome and the trip ends.
  const settled = `SELECT count(*) FROM trips t JOIN email_logs l ON l.workspace_id = t.workspace_id AND l.origin_id = t.id
    WHERE t.status = 'completed' AND l.status = 'sent'`;
  await within(TIMEOUT_MS, async () => (await postgres.number(database, settled)) === scale.mails);
  const report = await ask<SinkReport>(sink, 'report');
  mustEqual('Events answered 202', load.accepted, scale.mails);
  for (const sample of report.samples) await checkContent(sample, prefix);
  return outcome(load.firstSentAt, report, scale.mails, seconds);
}

/** @throws Error when a mail is not the newsletter of its recipient. */
async function checkContent(
  { recipient, raw }: SinkReport['samples'][number],
  prefix: string,
): Promise<void> {
  const index = Number(/-(\d+)@/.exec(recipient)?.[1]);
  const { html = '' } = await PostalMime.parse(raw);
  const right =
    recipient === addressOf(prefix, index) &&
    html.includes(greetingOf(index)) &&
    html.includes('Item &lt;7&gt; x 8 - 24.50 EUR');
  if (!right)
    throw new Error(`The mail to ${recipient} does not hold what it should:\n${html.slice(0, 2_000)}`);
}

function outcome(begunAt: number, report: SinkReport, mails: number, used: Effort['seconds']): Outcome {
  mustEqual('Mails at the sink', report.mails, mails);
  mustEqual('Recipients at the sink', report.recipients, mails);
  const seconds = (report.lastAt - begunAt) / 1_000;
  return {
    perSecond: mails / seconds,
    seconds,
    firstAfterSeconds: (report.firstAt - begunAt) / 1_000,
    effort: { units: mails, seconds: used },
  };
}

async function within(timeoutMs: number, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('Not all mails have arrived and been noted in time.');
    await sleep(100);
  }
}

function ask<Reply>(sink: Program, kind: Exclude<SinkQuestion['kind'], 'arrival'>): Promise<Reply> {
  return sink.ask<Reply>({ kind } satisfies SinkQuestion);
}
