/**
 * Contacts: bulk upserts, and operations that read a whole tenant (export, search, segments), over HTTP. The
 * reference is the best statement for the same rows, on the same server, by a plain connection without row-level
 * policies.
 */
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { residentMegabytes } from '../machine.js';
import { milliseconds, type Comparison } from '../measure.js';
import { rated, type Processes, type Rate } from '../processor-time.js';
import type { Product, Service } from '../product.js';
import { mustEqual, type Run } from '../run.js';

const DATABASE = 'bench_contacts';
const BULK = 1_000;

interface Fixture {
  readonly run: Run;
  readonly product: Product;
  readonly api: Service;
  readonly admin: pg.Client;
}

export async function contacts(run: Run): Promise<Comparison[]> {
  const product = await run.product(DATABASE);
  const api = await product.startApi();
  const admin = new pg.Client({ connectionString: run.postgres.urlOf(DATABASE) });
  await admin.connect();
  try {
    const fixture = { run, product, api, admin };
    const bulk = await measureBulk(run, product, admin);
    await fill(fixture);
    return [
      bulk,
      ...(await measureExport(fixture)),
      ...(await measureSearch(fixture)),
      await measureSegment(fixture),
    ];
  } finally {
    await admin.end();
  }
}

const TENANT = `workspace_id = $1 AND environment = 'live'`;

/** The rows of a bulk request; half of them exist already. */
function bulkRows(round: number, serial: number): object[] {
  return Array.from({ length: BULK }, (_, index) => {
    const known = index % 2 === 0;
    return {
      external_id: known ? `known-${index}` : `new-${round}-${serial}-${index}`,
      email: `person-${index}@example.test`,
      first_name: 'Ada',
      last_name: 'Lovelace',
      properties: { plan: index % 3 === 0 ? 'pro' : 'free', score: round * 1_000 + serial },
      tags: ['beta'],
    };
  });
}

/** The same upsert as one statement, on the same table with the same indexes. */
const UPSERT = `
INSERT INTO contacts (workspace_id, environment, id, external_id, email, first_name, last_name, properties, tags, created_at, updated_at)
SELECT $1, 'live', uuidv7(), u.external_id, u.email, u.first_name, u.last_name, u.properties, '{beta}', now(), now()
FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::jsonb[]) AS u(external_id, email, first_name, last_name, properties)
ON CONFLICT (workspace_id, external_id, environment) DO UPDATE SET email = excluded.email, first_name = excluded.first_name,
  last_name = excluded.last_name, properties = contacts.properties || excluded.properties, tags = excluded.tags,
  updated_at = excluded.updated_at`;

/** A workspace's limit of bulk requests per minute; a new process starts to count from zero. */
const BULKS_A_MINUTE = 10;

async function measureBulk(run: Run, product: Product, admin: pg.Client): Promise<Comparison> {
  const bulks = BULKS_A_MINUTE - 1;
  const known = Array.from({ length: BULK / 2 }, (_, index) => ({ external_id: `known-${index * 2}` }));
  const reference: Rate[] = [];
  const ours: Rate[] = [];
  const fresh = async (api: Service): Promise<void> => {
    await admin.query('TRUNCATE contacts, contact_counts');
    await product.call(api, '/v1/contacts/bulk', { contacts: known });
    await admin.query('VACUUM ANALYZE contacts');
    await admin.query('CHECKPOINT');
  };
  const rate = async (
    processes: (api: Service) => Processes,
    send: (api: Service, serial: number) => Promise<void>,
  ): Promise<Rate> => {
    const api = await product.startApi();
    await fresh(api);
    const of = { ...processes(api), PostgreSQL: run.postgres.pid };
    const outcome = await rated(bulks * BULK, of, async () => {
      for (let serial = 0; serial < bulks; serial++) await send(api, serial);
    });
    const [{ count }] = (await admin.query<{ count: string }>('SELECT count(*) FROM contacts')).rows as [
      { count: string },
    ];
    mustEqual('Contacts after the bulks', Number(count), BULK / 2 + (bulks * BULK) / 2);
    await api.stop();
    return outcome;
  };
  for (const round of run.rounds) {
    reference.push(
      await rate(
        () => ({}),
        async (_api, serial) => {
          const rows = bulkRows(round, serial) as Record<string, unknown>[];
          const column = (name: string): unknown[] => rows.map((row) => row[name]);
          await admin.query({
            name: 'upsert',
            text: UPSERT,
            values: [
              product.workspaceId,
              column('external_id'),
              column('email'),
              column('first_name'),
              column('last_name'),
              rows.map((row) => JSON.stringify(row['properties'])),
            ],
          });
        },
      ),
    );
    ours.push(
      await rate(
        (api) => ({ API: api.pid }),
        async (api, serial) => {
          await product.call(api, '/v1/contacts/bulk', { contacts: bulkRows(round, serial) });
        },
      ),
    );
  }
  return {
    path: `bulk upsert of ${BULK.toLocaleString('en')}, half of them known`,
    unit: 'contacts/s',
    reference: reference.map(({ perSecond }) => perSecond),
    ours: ours.map(({ perSecond }) => perSecond),
    target: { atLeast: 0.4 },
    against: 'one unnest upsert of the same rows with the same indexes',
    effort: { reference: reference.map(({ effort }) => effort), ours: ours.map(({ effort }) => effort) },
  };
}

const FILL = `
INSERT INTO contacts (workspace_id, environment, id, external_id, email, first_name, last_name, properties, tags, created_at, updated_at)
SELECT $1, 'live', uuidv7(), 'user-' || i, 'mail' || md5(i::text) || '@example.test',
  (ARRAY['Ada','Grace','Edsger','Barbara','Donald'])[1 + i % 5], 'Name' || md5((i * 7)::text),
  jsonb_build_object('plan', (ARRAY['free','pro','team'])[1 + i % 3], 'score', i % 1000, 'city', 'City' || i % 500),
  CASE WHEN i % 10 = 0 THEN '{vip,beta}'::text[] WHEN i % 4 = 0 THEN '{beta}' ELSE '{}' END, now(), now()
FROM generate_series(1, $2::int) i`;

const FILL_EVENTS = `
INSERT INTO events (workspace_id, environment, id, external_id, event_name, attributes, occurred_at, received_at, processed_at)
SELECT $1, 'live', uuidv7(), 'user-' || (1 + (hashint4(i) & 2147483647) % $2::int), (ARRAY['order_placed','page_seen'])[1 + i % 2],
  jsonb_build_object('amount', i % 200), now() - (i % 60) * interval '1 day', now(), now()
FROM generate_series(1, $2::int) i`;

async function fill({ run, product, admin }: Fixture): Promise<void> {
  const { contacts: count } = run.scale;
  await admin.query('TRUNCATE contacts, contact_counts, events');
  await admin.query(FILL, [product.workspaceId, count]);
  await admin.query(FILL_EVENTS, [product.workspaceId, count]);
  await admin.query(`INSERT INTO contact_counts VALUES ($1, 'live', $2)`, [product.workspaceId, count]);
  await admin.query('VACUUM ANALYZE contacts');
  await admin.query('VACUUM ANALYZE events');
  await admin.query('CHECKPOINT');
}

const COPIED =
  'id, external_id, email, phone, first_name, last_name, product_type, subscription_status, timezone, locale, tags, properties, created_at, updated_at';

async function measureExport({ run, product, api, admin }: Fixture): Promise<Comparison[]> {
  const { contacts: count } = run.scale;
  const reference: Rate[] = [];
  const ours: Rate[] = [];
  const postgres = { PostgreSQL: run.postgres.pid };
  const grown: number[] = [];
  for (const _ of run.rounds) {
    reference.push(
      await timed(count, postgres, async () => {
        const copy = admin.query(
          copyTo(`COPY (SELECT ${COPIED} FROM contacts WHERE workspace_id = '${product.workspaceId}' AND environment = 'live'
            AND subscription_status <> 'deleted' ORDER BY id) TO STDOUT WITH (FORMAT csv, HEADER true)`),
        );
        return countLines(copy);
      }),
    );
    const before = residentMegabytes(api.pid);
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, residentMegabytes(api.pid))), 20);
    ours.push(
      await timed(count, { API: api.pid, ...postgres }, async () => {
        const answer = await fetch(`http://127.0.0.1:${api.port}/v1/contacts/export`, {
          method: 'POST',
          headers: { ...product.credentials, 'content-type': 'application/json' },
          body: JSON.stringify({ format: 'csv' }),
        });
        if (!answer.ok || !answer.body) throw new Error(`The export was answered ${answer.status}.`);
        return countLines(answer.body);
      }),
    );
    clearInterval(watch);
    grown.push(peak - before);
  }
  return [
    {
      path: `export of ${count.toLocaleString('en')} contacts as CSV`,
      unit: 'contacts/s',
      reference: reference.map(({ perSecond }) => perSecond),
      ours: ours.map(({ perSecond }) => perSecond),
      target: { atLeast: 0.25 },
      against: 'COPY … TO STDOUT of the same rows',
      effort: { reference: reference.map(({ effort }) => effort), ours: ours.map(({ effort }) => effort) },
    },
    {
      path: 'resident memory that it takes',
      unit: 'MB',
      reference: grown.map(() => 150),
      ours: grown,
      target: { atMost: 1 },
      against: 'a bound of 150 MB',
    },
  ];
}

/** Rows per second of work that yields `rows` rows. */
async function timed(rows: number, processes: Processes, work: () => Promise<number>): Promise<Rate> {
  return rated(rows, processes, async () =>
    mustEqual('Lines of the file, with its head', await work(), rows + 1),
  );
}

async function countLines(stream: AsyncIterable<Uint8Array>): Promise<number> {
  let lines = 0;
  await pipeline(
    stream,
    new Writable({
      write(chunk: Buffer, _, done) {
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
        done();
      },
    }),
  );
  return lines;
}

/** The best single statement for a page of matches and their count. */
const SEARCH = `
WITH found AS MATERIALIZED (
  SELECT id FROM contacts WHERE ${TENANT} AND subscription_status <> 'deleted'
    AND lower(external_id || chr(10) || coalesce(email, '') || chr(10) || coalesce(first_name, '') || chr(10) || coalesce(last_name, '')) LIKE $2)
SELECT c.*, (SELECT count(*) FROM found) AS total FROM contacts c
WHERE c.workspace_id = $1 AND c.id = ANY (ARRAY(SELECT id FROM found ORDER BY id DESC LIMIT 25)) ORDER BY c.id DESC`;

/** A part of one address, an identifier, and a name that one contact in five has. */
const SEARCHES = ['mailc4ca4238a0', 'user-77777', 'grace'];

async function measureSearch({ run, product, api, admin }: Fixture): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const search of SEARCHES) {
    const reference: number[] = [];
    const ours: number[] = [];
    let total = -1;
    const times = 10;
    for (const _ of run.rounds) {
      reference.push(
        await milliseconds(times, async () => {
          const { rows } = await admin.query<{ total: string }>(SEARCH, [product.workspaceId, `%${search}%`]);
          total = Number(rows[0]?.total ?? 0);
        }),
      );
      ours.push(
        await milliseconds(times, async () => {
          const answer = await fetch(`http://127.0.0.1:${api.port}/v1/contacts?search=${search}`, {
            headers: product.credentials,
          });
          const { meta } = (await answer.json()) as { meta: { total: number } };
          mustEqual(`Contacts found by ${search}`, meta.total, total);
        }),
      );
    }
    comparisons.push({
      path: `search that finds ${total.toLocaleString('en')} of ${run.scale.contacts.toLocaleString('en')}`,
      unit: 'ms',
      reference,
      ours,
      target: { atMost: 2 },
      against: 'the best single statement for it',
    });
  }
  return comparisons;
}

const SEGMENT = `
SELECT count(*) FROM contacts c WHERE c.workspace_id = $1 AND c.environment = 'live' AND c.subscription_status <> 'deleted'
  AND lower(c.properties ->> 'plan') = 'pro' AND c.tags && '{beta}'
  AND EXISTS (SELECT FROM events e WHERE e.workspace_id = $1 AND e.environment = 'live' AND e.external_id = c.external_id
    AND e.event_name = 'order_placed' AND e.occurred_at >= now() - interval '30 days')`;

async function measureSegment({ run, product, api, admin }: Fixture): Promise<Comparison> {
  const { data } = await product.call<{ data: { createSegment: { id: string } } }>(api, '/graphql', {
    query: 'mutation ($input: CreateSegmentInput!) { createSegment(input: $input) { id } }',
    variables: {
      input: {
        name: 'Loyal',
        match: 'all',
        conditions: [
          { field: 'properties.plan', operator: 'equals', value: 'pro' },
          { field: 'tags', operator: 'contains', value: 'beta' },
          { event: 'order_placed', operator: 'has_done', within_days: 30 },
        ],
      },
    },
  });
  const reference: number[] = [];
  const ours: number[] = [];
  let expected = 0;
  const times = 3;
  for (const _ of run.rounds) {
    reference.push(
      await milliseconds(times, async () => {
        expected = Number(
          (await admin.query<{ count: string }>(SEGMENT, [product.workspaceId])).rows[0]?.count,
        );
      }),
    );
    ours.push(
      await milliseconds(times, async () => {
        const { count } = await product.call<{ count: number }>(
          api,
          `/v1/segments/${data.createSegment.id}/evaluate`,
        );
        mustEqual('Contacts in the segment', count, expected);
      }),
    );
  }
  return {
    path: `segment of ${expected.toLocaleString('en')} among ${run.scale.contacts.toLocaleString('en')}: property, tag, behaviour`,
    unit: 'ms',
    reference,
    ours,
    target: { atMost: 3 },
    against: 'the count written by hand',
  };
}
