/**
 * Migrations by a separate worker. One imports a CSV file of which half exists already; the reference is
 * PostgreSQL's own import of the same file. The other imports from a platform with slow pages; the reference only
 * fetches the pages.
 */
import { createReadStream, createWriteStream, mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { residentMegabytes } from '../machine.js';
import type { Comparison } from '../measure.js';
import { rated, type Processes, type Rate } from '../processor-time.js';
import type { Product, Service } from '../product.js';
import { mustEqual, type Run } from '../run.js';

const DATABASE = 'bench_imports';
/** Profiles per page, as in Klaviyo's API. */
const PAGE = 100;
/** Milliseconds until the platform answers a page. */
const PAGE_TAKES = 20;
/** Megabytes by which the worker may grow. */
const MOST_GROWTH = 100;
/** Records after which a worker has reached its usual size. */
const WARM = 100_000;
/** Milliseconds between two polls. */
const LOOK = 50;

interface Fixture {
  readonly run: Run;
  readonly product: Product;
  readonly api: Service;
  readonly admin: pg.Client;
  readonly folder: string;
}

interface Migration {
  readonly id: string;
  readonly status: string;
  readonly progress: { readonly imported: number; readonly failed: number };
  readonly error: unknown;
}

export async function imports(run: Run): Promise<Comparison[]> {
  const product = await run.product(DATABASE);
  const api = await product.startApi();
  const admin = new pg.Client({ connectionString: run.postgres.urlOf(DATABASE) });
  const folder = mkdtempSync(join(tmpdir(), 'waypost-bench-imports-'));
  await admin.connect();
  try {
    const fixture = { run, product, api, admin, folder };
    return [...(await measureFile(fixture)), await measurePlatform(fixture)];
  } finally {
    await admin.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

const HEAD = 'external_id,email,first_name,last_name,phone,plan,city,country,score,source,joined,company\n';

function* lines(rows: number): Generator<string> {
  yield HEAD;
  for (let n = 1; n <= rows; n++)
    yield `user-${n},person-${n}@example.test,Ada,"Lovelace, ${n % 977}",+4366012${n},${n % 3 ? 'pro' : 'free'},City ${n % 500},AT,${n % 1_000},web,2026-0${1 + (n % 9)}-11,Company ${n % 5_000}\n`;
}

/** Every second contact exists already. */
const FILL = `
INSERT INTO contacts (workspace_id, environment, id, external_id, email, first_name, last_name, properties, tags, created_at, updated_at)
SELECT $1, 'live', uuidv7(), 'user-' || i * 2, 'old-' || i || '@example.test', 'Ada', 'Name ' || i,
  jsonb_build_object('plan', 'trial', 'visits', i % 100), '{beta}', now(), now()
FROM generate_series(1, $2::int) i`;

const PLAIN = `CREATE TABLE imported (external_id text, email text, first_name text, last_name text, phone text, plan text, city text,
  country text, score text, source text, joined text, company text)`;

/** The same merge as one statement, on the same table with the same indexes. */
const UPSERT = `
INSERT INTO contacts (workspace_id, environment, id, external_id, email, first_name, last_name, phone, properties, tags, created_at, updated_at)
SELECT $1, 'live', uuidv7(), i.external_id, i.email, i.first_name, i.last_name, i.phone,
  jsonb_build_object('plan', plan, 'city', city, 'country', country, 'score', score, 'source', source, 'joined', joined, 'company', company),
  '{moved}', now(), now()
FROM imported i
ON CONFLICT (workspace_id, external_id, environment) DO UPDATE SET email = excluded.email, first_name = excluded.first_name,
  last_name = excluded.last_name, phone = excluded.phone, properties = contacts.properties || excluded.properties,
  tags = contacts.tags || excluded.tags, updated_at = excluded.updated_at`;

async function fill({ product, admin }: Fixture, rows: number): Promise<void> {
  await admin.query('TRUNCATE contacts, contact_counts, import_seen');
  await admin.query(FILL, [product.workspaceId, rows / 2]);
  await admin.query(`INSERT INTO contact_counts VALUES ($1, 'live', $2)`, [product.workspaceId, rows / 2]);
  await admin.query('VACUUM ANALYZE contacts');
  await admin.query('CHECKPOINT');
}

async function measureFile(fixture: Fixture): Promise<Comparison[]> {
  const { run, product, api, admin, folder } = fixture;
  const rows = run.scale.importRows;
  const file = join(folder, 'contacts.csv');
  await pipeline(Readable.from(lines(rows)), createWriteStream(file));
  const form = new FormData();
  form.set('file', await openAsBlob(file), 'contacts.csv');
  const uploaded = await fetch(`http://127.0.0.1:${api.port}/v1/migrations/files`, {
    method: 'POST',
    headers: product.owner,
    body: form,
  });
  if (!uploaded.ok) throw new Error(`The upload was answered ${uploaded.status}: ${await uploaded.text()}`);
  const { file_id: fileId } = (await uploaded.json()) as { file_id: string };
  const postgres = { PostgreSQL: run.postgres.pid };
  const reference: Rate[] = [];
  const ours: Rate[] = [];
  const grown: number[] = [];
  for (const _ of run.rounds) {
    await fill(fixture, rows);
    reference.push(
      await rated(rows, postgres, async () => {
        await admin.query(PLAIN);
        await pipeline(
          createReadStream(file),
          admin.query(copyFrom('COPY imported FROM STDIN WITH (FORMAT csv, HEADER true)')),
        );
        await admin.query(UPSERT, [product.workspaceId]);
        await admin.query('DROP TABLE imported');
      }),
    );
    await fill(fixture, rows);
    const worker = await product.startWorker('imports');
    const memory = new WatchedMemory(worker.pid);
    const config = { tags: ['moved'], field_mapping: {}, file_id: fileId };
    const used = { worker: worker.pid, ...postgres };
    ours.push(await migrated(fixture, rows, used, { platform: 'file', config }, memory));
    grown.push(memory.grown());
    await worker.stop();
  }
  return [
    {
      path: `a CSV file of ${rows.toLocaleString('en')} rows and 12 columns, half of them known`,
      unit: 'rows/s',
      reference: reference.map(({ perSecond }) => perSecond),
      ours: ours.map(({ perSecond }) => perSecond),
      target: { atLeast: 0.25 },
      against: 'COPY into a plain table and one INSERT … ON CONFLICT of it',
      effort: { reference: reference.map(({ effort }) => effort), ours: ours.map(({ effort }) => effort) },
    },
    {
      path: 'resident memory that it grows by, from the 100,000th record on',
      unit: 'MB',
      reference: grown.map(() => MOST_GROWTH),
      ours: grown,
      target: { atMost: 1 },
      against: `a bound of ${MOST_GROWTH} MB`,
    },
  ];
}

/** Measures the growth of a process after it has reached its usual size, which depends on runtime settings. */
class WatchedMemory {
  private before: number | undefined;
  private peak = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly pid: number) {}

  begin(): void {
    if (this.before !== undefined) return;
    this.before = residentMegabytes(this.pid);
    this.timer = setInterval(() => (this.peak = Math.max(this.peak, residentMegabytes(this.pid))), LOOK);
  }

  /** Growth in megabytes. */
  grown(): number {
    clearInterval(this.timer);
    return Math.max(0, this.peak - (this.before ?? 0));
  }
}

/** Rows per second of a migration, from the request to its completion. */
async function migrated(
  { product, api }: Fixture,
  rows: number,
  processes: Processes,
  request: object,
  memory?: WatchedMemory,
): Promise<Rate> {
  return rated(rows, processes, async () => {
    const { id } = await product.call<Migration>(api, '/v1/migrations', request, product.owner);
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${api.port}/v1/migrations/${id}`, {
        headers: product.owner,
      });
      const migration = (await answer.json()) as Migration;
      if (migration.progress.imported >= WARM) memory?.begin();
      if (migration.status === 'completed') {
        mustEqual('Contacts brought over', migration.progress.imported, rows);
        return;
      }
      if (!['queued', 'running'].includes(migration.status))
        throw new Error(`The migration is ${JSON.stringify(migration)}.`);
      await sleep(LOOK);
    }
  });
}

/** A page of profiles as prebuilt text, so that the platform has no work. */
function pageOf(rows: number, first: number, origin: string): string {
  const data = Array.from({ length: Math.min(PAGE, rows - first) }, (_, place) => {
    const n = first + place + 1;
    return {
      type: 'profile',
      id: `01H${String(n).padStart(10, '0')}`,
      attributes: {
        ...{ email: `profile-${n}@example.test`, phone_number: null, external_id: `profile-${n}` },
        ...{
          first_name: 'Grace',
          last_name: `Hopper ${n % 500}`,
          organization: null,
          locale: 'en-US',
          title: null,
        },
        ...{
          created: new Date(1_700_000_000_000 + n * 1_000).toISOString(),
          updated: '2026-01-01T00:00:00+00:00',
        },
        location: { city: `City ${n % 300}`, country: 'US', timezone: 'America/New_York' },
        properties: { plan: n % 3 ? 'pro' : 'free', score: n % 1_000 },
        subscriptions: {
          email: { marketing: { can_receive_email_marketing: true, consent: 'SUBSCRIBED', suppression: [] } },
        },
      },
    };
  });
  const behind = first + data.length;
  const next = behind < rows ? `${origin}/api/profiles?page%5Bcursor%5D=${behind}` : null;
  return JSON.stringify({ data, links: { self: `${origin}/api/profiles`, next, prev: null } });
}

async function measurePlatform(fixture: Fixture): Promise<Comparison> {
  const { run, product, admin } = fixture;
  const rows = run.scale.importProfiles;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://loopback');
    const cursor = Number(url.searchParams.get('page[cursor]') ?? 0);
    const text = url.pathname.endsWith('/profiles')
      ? pageOf(rows, cursor, 'https://a.klaviyo.com')
      : JSON.stringify({ data: [], links: { next: null } });
    setTimeout(() => response.setHeader('content-type', 'application/vnd.api+json').end(text), PAGE_TAKES);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const reference: Rate[] = [];
  const ours: Rate[] = [];
  try {
    for (const _ of run.rounds) {
      reference.push(await rated(rows, {}, () => fetchAlone(origin, rows)));
      await admin.query('TRUNCATE contacts, contact_counts, import_seen');
      const worker = await product.startWorker('imports', {
        MIGRATION_BASE_URLS: JSON.stringify({ klaviyo: origin }),
      });
      const request = {
        platform: 'klaviyo',
        credentials: { api_key: 'pk_0123456789abcdef0123456789abcdef01' },
        config: { tags: [], field_mapping: {} },
      };
      ours.push(await migrated(fixture, rows, { worker: worker.pid, PostgreSQL: run.postgres.pid }, request));
      await worker.stop();
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return {
    path: `a platform of ${rows.toLocaleString('en')} profiles whose pages of ${PAGE} take ${PAGE_TAKES} ms`,
    unit: 'profiles/s',
    reference: reference.map(({ perSecond }) => perSecond),
    ours: ours.map(({ perSecond }) => perSecond),
    target: { atLeast: 0.8 },
    against: 'the same pages fetched one behind the other, and nothing done with them',
  };
}

async function fetchAlone(origin: string, rows: number): Promise<void> {
  let read = 0;
  for (let url: string | null = `${origin}/api/profiles`; url !== null;) {
    const answer: { data: unknown[]; links: { next: string | null } } = (await (
      await fetch(url)
    ).json()) as never;
    read += answer.data.length;
    url =
      answer.links.next === null
        ? null
        : origin + new URL(answer.links.next).pathname + new URL(answer.links.next).search;
  }
  mustEqual('Profiles fetched', read, rows);
}
