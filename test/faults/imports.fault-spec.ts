/**
 * A migration whose worker is killed again and again at random moments: each contact exists once, each record is
 * counted once, progress never decreases, and the source platform's key is stored only in encrypted form.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PAGE_SIZE } from '../../src/modules/imports/domain/platforms/mailchimp-pages.js';
import { MAILCHIMP_KEY, MailchimpServer, mailchimpMember } from '../imports/platforms/mailchimp-server.js';
import type { Reply, Request } from '../imports/platforms/loopback-platform.js';
import { figure } from '../support/figure.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';
import { startWorkerFixture, type WorkerFixture } from '../support/worker-fixture.js';

const PEOPLE = repetitions({ short: 4_000, full: 100_000 });
const KILLS = repetitions({ short: 2, full: 20 });
/** The longest life of a worker in milliseconds, from when it has claimed the job or made further progress. */
const LONGEST_LIFE = repetitions({ short: 200, full: 1_000 });
/** Every nth member is invalid, unsubscribed or cleaned. */
const [WRONG, OUT, CLEANED] = [997, 101, 499];

/** An audience generated on request. Its last page is delayed until the test releases it. */
class LargeAudience extends MailchimpServer {
  release: () => void = () => undefined;
  private readonly released = new Promise<void>((resolve) => (this.release = resolve));

  protected override held({ path, query }: Request): Promise<void> | undefined {
    const isLast = Number(query.get('offset') ?? 0) + Number(query.get('count') ?? 10) >= PEOPLE;
    return path.endsWith('/members') && isLast ? this.released : undefined;
  }

  protected override answer(request: Request): Reply {
    if (!request.path.endsWith('/members')) return super.answer(request);
    const offset = Number(request.query.get('offset') ?? 0);
    const count = Math.min(Number(request.query.get('count') ?? 10), PEOPLE - offset);
    const members = Array.from({ length: Math.max(0, count) }, (_, place) => member(offset + place + 1));
    return { status: 200, body: { members, total_items: PEOPLE } };
  }
}

const isWrong = (n: number): boolean => n % WRONG === 0;

function member(n: number): object {
  const status = n % CLEANED === 0 ? 'cleaned' : n % OUT === 0 ? 'unsubscribed' : 'subscribed';
  return mailchimpMember(n, { status, ...(isWrong(n) ? { email_address: `nobody-${n}` } : {}) });
}

const numbers = Array.from({ length: PEOPLE }, (_, place) => place + 1);
const FAILED = numbers.filter(isWrong).length;
const UNSUBSCRIBED = numbers.filter((n) => !isWrong(n) && (n % OUT === 0 || n % CLEANED === 0)).length;
const SUPPRESSED = numbers.filter((n) => !isWrong(n) && n % CLEANED === 0).length;

interface Job {
  readonly status: string;
  readonly imported: number;
  readonly failed: number;
  readonly total: number | null;
  readonly percent: number;
  readonly worker: number | null;
}

let fixture: WorkerFixture;
let platform: LargeAudience;
let api: ServiceProcess | undefined;
let logs = '';

beforeAll(async () => {
  platform = new LargeAudience();
  platform.audiences = new Map([['a36b032126', []]]);
  await platform.start();
  fixture = await startWorkerFixture({
    PORT: String(await freePort()),
    LOG_LEVEL: 'debug',
    MIGRATION_BASE_URLS: JSON.stringify({ mailchimp: platform.url }),
  });
});
afterAll(async () => {
  await api?.stop();
  await fixture?.close();
  await platform?.stop();
});

const newWorker = (): Promise<ServiceProcess> => fixture.startWorker('imports');

async function jobOf(id: string): Promise<Job> {
  const { rows } = await fixture.database.query<Job>(
    `SELECT status, imported, failed, total, percent_complete AS percent, worker FROM import_jobs WHERE id = $1`,
    [id],
  );
  const [job] = rows;
  if (!job) throw new Error('The migration is gone.');
  return job;
}

/** The tables of the database that contain the key, as text or as bytes. */
async function tablesWithKey(): Promise<string[]> {
  const { rows } = await fixture.database.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const key = MAILCHIMP_KEY.slice(0, 32);
  const spellings = [
    key,
    Buffer.from(key).toString('hex'),
    Buffer.from(MAILCHIMP_KEY).toString('base64').slice(0, 40),
  ];
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await fixture.database.query(
      `SELECT FROM ${name} AS t WHERE EXISTS (SELECT FROM unnest($1::text[]) AS s WHERE strpos(t::text, s) > 0) LIMIT 1`,
      [spellings],
    );
    if (rowCount) found.push(name);
  }
  return found;
}

/** Requests the migration from a process, so that its log can be searched as well. */
async function startMigration(): Promise<string> {
  const { id, ownerToken } = await fixture.app.workspace();
  const url = `http://127.0.0.1:${fixture.env['PORT']}`;
  api = await ServiceProcess.start('api', fixture.env).ready(url);
  const answer = await fetch(`${url}/v1/migrations`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ownerToken}`,
      'x-workspace-id': id,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      platform: 'mailchimp',
      credentials: { api_key: MAILCHIMP_KEY },
      config: { tags: ['moved'], field_mapping: {} },
    }),
  });
  const job = (await answer.json()) as { id: string };
  expect([answer.status, job]).toEqual([201, expect.objectContaining({ status: 'queued' })]);
  return job.id;
}

test(`everybody is there once and counted once, though the worker is killed ${KILLS} times`, async () => {
  const id = await startMigration();
  const seen: number[] = [];
  const look = async (): Promise<Job> => {
    const job = await jobOf(id);
    expect(job.imported + job.failed).toBeLessThanOrEqual(PEOPLE);
    seen.push(job.percent);
    return job;
  };
  const deaths: ServiceProcess['exit'][] = [];
  const at: number[] = [];
  while (deaths.length < KILLS) {
    const { worker: before } = await look();
    const victim = await newWorker();
    await until(
      'the worker has the migration in hand',
      async () => {
        const job = await look();
        return job.status !== 'running' ? job.status !== 'queued' : job.worker !== before;
      },
      () => victim.output.length,
    );
    // Every second worker makes progress first, however slow the machine is, until only the last page is left.
    const { imported: there } = await look();
    if (deaths.length % 2 === 1)
      await until(
        'the migration gets on',
        async () => {
          const { imported, failed } = await look();
          return imported > there || imported + failed === PEOPLE - PAGE_SIZE;
        },
        () => victim.output.length,
      );
    for (const end = Date.now() + randomInt(LONGEST_LIFE); Date.now() < end; await sleep(20)) await look();
    victim.child.kill('SIGKILL');
    deaths.push(await victim.gone());
    logs += victim.output;
    const { imported, failed, status } = await look();
    at.push(imported + failed);
    expect(status).toBe('running');
    if (deaths.length === 1) expect(await tablesWithKey()).toEqual([]);
  }
  expect(deaths).toEqual(Array.from({ length: KILLS }, () => ({ code: null, signal: 'SIGKILL' })));
  platform.release();
  const last = await newWorker();
  await until('the migration has ended', async () => (await look()).status !== 'running', look);
  expect(await jobOf(id)).toEqual({
    ...{ status: 'completed', imported: PEOPLE - FAILED, failed: FAILED, total: PEOPLE },
    ...{ percent: 100, worker: null },
  });
  expect(seen).toEqual([...seen].sort((one, other) => one - other));
  const { rows } = await fixture.database.query(
    `SELECT (SELECT count(*)::int FROM contacts) AS contacts, (SELECT sum(contacts)::int FROM contact_counts) AS counted,
         (SELECT count(*)::int FROM contacts WHERE subscription_status = 'unsubscribed') AS out,
         (SELECT count(*)::int FROM contacts WHERE tags = '{moved}') AS tagged,
         (SELECT count(*)::int FROM suppressions) AS suppressions, (SELECT count(*)::int FROM import_errors) AS errors,
         (SELECT count(DISTINCT "row")::int FROM import_errors) AS rows,
         created_contacts, updated_contacts, unsubscribed, suppressed, credentials FROM import_jobs`,
  );
  const people = PEOPLE - FAILED;
  expect(rows).toEqual([
    {
      ...{ contacts: people, counted: people, out: UNSUBSCRIBED, tagged: people },
      ...{ suppressions: SUPPRESSED, errors: FAILED, rows: FAILED, credentials: null },
      ...{
        created_contacts: people,
        updated_contacts: 0,
        unsubscribed: UNSUBSCRIBED,
        suppressed: SUPPRESSED,
      },
    },
  ]);
  await last.stop();
  logs += `${last.output}${api?.output}`;
  expect(await tablesWithKey()).toEqual([]);
  expect(logs).not.toContain(MAILCHIMP_KEY.slice(0, 32));
  figure(`killed ${deaths.length} times, at ${at.join(', ')} records of ${PEOPLE}; ${seen.length} looks`);
});
