/**
 * Import jobs in the worker, from a source to contacts, on a real database: what is stored, counted, refused and
 * undone.
 */
import type { SourceRecord } from '../../src/modules/imports/domain/source-record.js';
import {
  RetryLaterError,
  type ImportSource,
  SourceFailure,
} from '../../src/modules/imports/domain/import-source.js';
import { MAX_STORED_ROWS } from '../../src/modules/imports/domain/import-bounds.js';
import { MAX_IMPORT_ATTEMPTS, MAX_IMPORT_FAILURES } from '../../src/modules/imports/domain/work-limits.js';
import { PlatformCallsFactory } from '../../src/modules/imports/application/platform-calls-factory.js';
import { until } from '../support/until.js';
import { CREDENTIALS, layEngine } from './support/engine-fixture.js';
import { apart, contact, ListSource } from './support/list-source.js';

const fixture = layEngine();

/** A large number of people: existing and new ones, some duplicated far apart, some opted out, some invalid. */
function crowd(size: number): SourceRecord[] {
  return Array.from({ length: size }, (_, index): SourceRecord => {
    const row = index + 1;
    if (row % 50 === 0)
      return { kind: 'suppression', email: `${row + 1}@example.test`, reason: 'complained' };
    if (row % 41 === 0)
      return { kind: 'unreadable', row, externalId: null, code: 'invalid_row', detail: 'No row.' };
    if (row % 31 === 0) return contact(row, `bad-${row}`, { email: 'none' });
    if (row % 7 === 0) return contact(row, `twice-${row % 70}`, { email: 't@example.test', n: row });
    if (row % 5 === 0) return contact(row, `known-${row % 40}`, { first_name: `Name ${row % 3}` });
    if (row % 11 === 0) return contact(row, `out-${row}`, { email: `${row}@example.test` }, 'bounced');
    return contact(row, `new-${row}`, {
      email: `${row}@example.test`,
      status: row % 13 ? 'subscribed' : 'opted out',
    });
  });
}

test('records become contacts: fields, properties, tags, what is empty, what is no time zone', async () => {
  await fixture.workspace.call('POST', '/v1/contacts', {
    ...{ external_id: 'ada', first_name: 'Ada', tags: ['old'], properties: { plan: 'pro', city: 'Rome' } },
  });
  const source = new ListSource(
    [
      contact(1, 'ada', { email: 'ada@example.test', first_name: '', plan: 'free', nothing: null }),
      contact(2, null, {
        email: 'bea@example.test',
        timezone: 'Eastern Time (US & Canada)',
        locale: 'de-AT',
        Größe: 7,
      }),
      contact(3, 'cy', {
        timezone: 'Europe/Vienna',
        work_mail: 'cy@example.test',
        email: 'other@example.test',
      }),
      contact(4, 'dee', { email: 'no address' }),
      contact(5, null, { first_name: 'Nobody' }),
    ],
    2,
  );
  const id = await fixture.job(source, { tags: ['moved'], fieldMapping: { work_mail: 'email' } });
  const ended = await fixture.ended(id);
  expect(ended).toMatchObject({ status: 'completed', credentials: null, total: 5, percent_complete: 100 });
  expect(fixture.counts(ended)).toMatchObject({ imported: 3, failed: 2, created: 2, updated: 1 });
  const { ada, cy } = await fixture.contacts();
  expect(ada).toMatchObject({
    ...{ first_name: 'Ada', email: 'ada@example.test', tags: ['old', 'moved'] },
    properties: { plan: 'free', city: 'Rome' },
  });
  expect(cy).toMatchObject({
    email: 'cy@example.test',
    timezone: 'Europe/Vienna',
    properties: { email: 'other@example.test' },
  });
  expect(await fixture.errors(id)).toEqual([
    { row: 4, external_id: 'dee', code: 'invalid_email' },
    { row: 5, external_id: null, code: 'validation_error' },
  ]);
});

test('whoever opted out stays out, whatever a source says; refusals of a source are kept by name and address', async () => {
  const { workspace } = fixture;
  for (const id of ['out', 'gone', 'in'])
    await workspace.call('POST', '/v1/contacts', { external_id: id, email: `${id}@example.test` });
  await fixture.admin.query(
    `UPDATE contacts SET subscription_status = 'unsubscribed' WHERE workspace_id = $1 AND external_id IN ('out', 'gone')`,
    [workspace.id],
  );
  expect((await workspace.call('DELETE', '/v1/contacts/gone')).status).toBe(204);
  const id = await fixture.job(
    new ListSource(
      [
        contact(1, 'out', { status: 'subscribed', email: 'out@example.test' }),
        contact(2, 'gone', { status: 'subscribed', email: 'new-address@example.test' }),
        contact(3, 'in', {}, 'unsubscribed'),
        contact(4, 'cleaned', { status: 'cleaned', email: 'Cleaned@Example.test' }),
        contact(5, 'complained', { email: 'c@example.test' }, 'complained'),
        contact(6, 'same-address', { email: 'cleaned@example.test' }),
        { kind: 'suppression', email: 'nobody@example.test', reason: 'bounced' },
        contact(7, 'late', { email: 'NOBODY@example.test' }),
      ],
      3,
    ),
  );
  const ended = await fixture.ended(id);
  expect(ended).toMatchObject({ status: 'completed', total: 7, imported: 7, failed: 0 });
  const contacts = await fixture.contacts();
  expect(Object.fromEntries(Object.entries(contacts).map(([name, { status }]) => [name, status]))).toEqual({
    ...{ out: 'unsubscribed', gone: 'unsubscribed', in: 'unsubscribed', cleaned: 'unsubscribed' },
    ...{ complained: 'unsubscribed', 'same-address': 'unsubscribed', late: 'unsubscribed' },
  });
  expect(ended).toMatchObject({ unsubscribed: 4, suppressed: 3 });
  const { rows } = await fixture.admin.query(
    `SELECT address, reason, added_by FROM suppressions WHERE workspace_id = $1 ORDER BY address`,
    [workspace.id],
  );
  expect(rows).toEqual([
    { address: 'c@example.test', reason: 'complaint', added_by: 'somebody' },
    { address: 'cleaned@example.test', reason: 'hard_bounce', added_by: 'somebody' },
    { address: 'nobody@example.test', reason: 'hard_bounce', added_by: 'somebody' },
  ]);
});

test.each([3, 40, 300])(
  'a dry run of pages of %i counts as the real run does, and stores nothing',
  async (pageSize) => {
    for (const n of [0, 5, 10, 15, 20])
      await fixture.workspace.call('POST', '/v1/contacts', {
        external_id: `known-${n}`,
        first_name: 'Name 1',
      });
    const before = await fixture.contacts();
    const records = crowd(300);
    const dry = await fixture.ended(await fixture.job(apart(records, pageSize, 'share'), { dryRun: true }));
    expect(await fixture.contacts()).toEqual(before);
    const { rows } = await fixture.admin.query(
      `SELECT (SELECT count(*)::int FROM suppressions WHERE workspace_id = $1) + (SELECT count(*)::int FROM refusals WHERE workspace_id = $1) AS n`,
      [fixture.workspace.id],
    );
    expect(rows).toEqual([{ n: 0 }]);
    const dryErrors = await fixture.errors(dry.id);
    const reportedRows = await fixture.rows(dry.id);
    expect(reportedRows.map(({ row }) => row as number)).toEqual(
      records.flatMap((record) => ('row' in record ? record.row : [])),
    );
    expect(
      reportedRows.flatMap(({ row, id, code }) => (code === null ? [] : { row, external_id: id, code })),
    ).toEqual(dryErrors);
    expect(reportedRows.filter(({ outcome }) => outcome === 'created')).toHaveLength(dry.created_contacts);
    const realId = await fixture.job(apart(records, pageSize, 'nothing'));
    const real = await fixture.ended(realId);
    expect(real).toMatchObject({ status: 'completed', percent_complete: 100 });
    expect(fixture.counts(dry)).toEqual(fixture.counts(real));
    expect(dryErrors).toEqual(await fixture.errors(realId));
    expect(real.imported + real.failed).toBe(records.filter(({ kind }) => kind !== 'suppression').length);
    const contacts = Object.values(await fixture.contacts());
    expect(real.created_contacts).toBe(contacts.length - Object.keys(before).length);
    expect(
      Math.min(real.created_contacts, real.updated_contacts, real.unsubscribed, real.suppressed),
    ).toBeGreaterThan(0);
  },
);

test('a dry run tells of each record what would become of it, and a real run of none', async () => {
  for (const id of ['known', 'same', 'gone'])
    await fixture.workspace.call('POST', '/v1/contacts', { external_id: id, first_name: 'Name' });
  const records: SourceRecord[] = [
    contact(1, 'new', { first_name: 'New' }),
    contact(2, 'known', { first_name: 'Other', city: 'Rome' }),
    contact(3, 'known', { city: 'Wien' }),
    contact(4, 'same', { first_name: 'Name' }),
    contact(5, 'bad', { email: 'none' }, 'bounced'),
    contact(6, 'gone', {}, 'complained'),
    contact(7, 'new', { first_name: 'Newer' }),
  ];
  const dry = await fixture.ended(await fixture.job(apart(records, 6), { dryRun: true }));
  const none = { fields: '', out: false, code: null };
  const rows = [
    { ...none, row: 1, id: 'new', outcome: 'created' },
    { ...none, row: 2, id: 'known', outcome: 'updated', fields: 'firstName,properties' },
    { ...none, row: 3, id: 'known', outcome: 'merged' },
    { ...none, row: 4, id: 'same', outcome: 'unchanged' },
    { ...none, row: 5, id: 'bad', outcome: 'failed', code: 'invalid_email', out: true },
    { ...none, row: 6, id: 'gone', outcome: 'updated', fields: 'subscriptionStatus', out: true },
    { ...none, row: 7, id: 'new', outcome: 'merged' },
  ];
  expect(await fixture.rows(dry.id)).toEqual(rows.map((row, at) => ({ number: at + 1, ...row })));
  const real = await fixture.ended(await fixture.job(apart(records, 6)));
  expect(fixture.counts(real)).toEqual(fixture.counts(dry));
  expect(await fixture.rows(real.id)).toEqual([]);
});

test('a dry run keeps the first rows alone, whatever is wrong with them', async () => {
  const records = Array.from({ length: 6 }, (_, n) =>
    contact(n + 1, `k-${n}`, n === 1 ? { email: 'none' } : {}),
  );
  const dry = await fixture.ended(
    await fixture.job(apart(records, 4), { dryRun: true, rowsKept: MAX_STORED_ROWS - 3 }),
  );
  expect(dry).toMatchObject({ imported: 5, failed: 1, rows_kept: MAX_STORED_ROWS });
  expect((await fixture.rows(dry.id)).map(({ number, row }) => [number - MAX_STORED_ROWS, row])).toEqual([
    ...[
      [-2, 1],
      [-1, 2],
      [0, 3],
    ],
  ]);
});

test('rows beyond the present plan are errors, in a dry run too; what they say of refusals is kept', async () => {
  await fixture.plan('starter');
  await fixture.admin.query(
    `INSERT INTO contact_counts VALUES ($1, 'live', 9995) ON CONFLICT (workspace_id, environment) DO UPDATE SET contacts = 9995`,
    [fixture.workspace.id],
  );
  const records = Array.from({ length: 9 }, (_, n) =>
    contact(n + 1, `p-${n % 7}`, { email: `p${n % 7}@example.test` }, n > 4 ? 'bounced' : null),
  );
  const dry = await fixture.ended(await fixture.job(apart(records, 2), { dryRun: true }));
  const id = await fixture.job(apart(records, 2));
  const real = await fixture.ended(id);
  expect(fixture.counts(real)).toEqual({
    ...{ imported: 7, failed: 2, created: 5, updated: 0, unsubscribed: 2, suppressed: 4 },
  });
  expect(fixture.counts(dry)).toEqual(fixture.counts(real));
  expect(await fixture.errors(id)).toEqual([
    { row: 6, external_id: 'p-5', code: 'plan_limit_reached' },
    { row: 7, external_id: 'p-6', code: 'plan_limit_reached' },
  ]);
});

test('a record that the database refuses is an error, and costs no other', async () => {
  await fixture.admin.query(`
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF NEW.external_id LIKE 'poison%' THEN RAISE 'No.'; END IF; RETURN NEW; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON contacts FOR EACH ROW EXECUTE FUNCTION refuse()`);
  try {
    const records = Array.from({ length: 30 }, (_, n) =>
      contact(n + 1, n % 9 === 4 ? `poison-${n}` : `well-${n}`),
    );
    const id = await fixture.job(new ListSource(records, 15));
    expect(fixture.counts(await fixture.ended(id))).toMatchObject({ imported: 27, failed: 3, created: 27 });
    expect((await fixture.errors(id)).map((error) => (error as { row: number }).row)).toEqual([5, 14, 23]);
  } finally {
    await fixture.admin.query('DROP TRIGGER refuse ON contacts');
  }
});

test('records that are wrong are heard where they say that somebody refuses mail', async () => {
  const { workspace } = fixture;
  for (const id of ['long', 'keyed', 'poison-known', 'stays', 'gone'])
    await workspace.call('POST', '/v1/contacts', { external_id: id, email: `${id}@example.test` });
  expect((await workspace.call('DELETE', '/v1/contacts/gone')).status).toBe(204);
  await fixture.admin.query(`
    CREATE OR REPLACE FUNCTION refuse_name() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF NEW.first_name = 'poison' THEN RAISE 'No.'; END IF; RETURN NEW; END $$;
    CREATE TRIGGER refuse_name BEFORE INSERT OR UPDATE ON contacts FOR EACH ROW EXECUTE FUNCTION refuse_name()`);
  const first_name = 'x'.repeat(300);
  const records = [
    contact(1, 'long', { first_name, email: 'long@example.test', status: 'unsubscribed' }),
    contact(2, 'x'.repeat(300), { email: 'Keyed@example.test', status: 'complained' }),
    contact(3, 'new', { first_name, email: 'new@example.test' }, 'bounced'),
    contact(4, 'poison-known', { first_name: 'poison' }, 'unsubscribed'),
    contact(5, 'poison-new', { first_name: 'poison', email: 'poison-new@example.test' }, 'bounced'),
    contact(6, 'stays', { first_name }),
    contact(7, null, { first_name, email: 'none' }, 'bounced'),
    contact(8, 'gone', { first_name }, 'unsubscribed'),
    { kind: 'suppression', email: 'elsewhere@example.test', reason: 'bounced' } as const,
  ];
  try {
    const dry = await fixture.ended(await fixture.job(new ListSource(records, 100), { dryRun: true }));
    const real = await fixture.ended(await fixture.job(new ListSource(records, 100)));
    expect(real).toMatchObject({ status: 'completed', failed: 8, imported: 0, suppressed: 4 });
    expect(fixture.counts(dry)).toEqual(fixture.counts(real));
    // Later contacts with the same identifier or address stay opted out.
    for (const [external_id, email] of [
      ['new', 'else@example.test'],
      ['else', 'poison-new@example.test'],
    ])
      await workspace.call('POST', '/v1/contacts', { external_id, email });
    const contacts = await fixture.contacts();
    expect(Object.fromEntries(Object.entries(contacts).map(([name, { status }]) => [name, status]))).toEqual({
      ...{ long: 'unsubscribed', keyed: 'unsubscribed', 'poison-known': 'unsubscribed', stays: 'subscribed' },
      ...{ gone: 'deleted', new: 'unsubscribed', else: 'unsubscribed' },
    });
  } finally {
    await fixture.admin.query('DROP TRIGGER refuse_name ON contacts');
  }
});

test('who is known by the address alone is one contact, whatever its letters; who leaves by it leaves under every name', async () => {
  const { workspace } = fixture;
  for (const [external_id, email] of [
    ['Ana@Example.test', 'ana@example.test'],
    ['u1', 'bob@example.test'],
  ])
    await workspace.call('POST', '/v1/contacts', { external_id, email });
  const records = [
    contact(1, null, { email: 'ANA@example.test', city: 'Rome' }),
    contact(2, null, { email: 'ana@example.test', plan: 'pro' }),
    contact(3, null, { email: 'Cy@Example.test', city: 'Oslo' }),
    contact(4, null, { email: 'cy@example.test', plan: 'free' }),
    contact(5, null, { email: 'Bob@example.test', status: 'unsubscribed' }),
  ];
  const dry = await fixture.ended(await fixture.job(apart(records, 1), { dryRun: true }));
  const real = await fixture.ended(await fixture.job(apart(records, 1)));
  expect(real).toMatchObject({ imported: 5, created_contacts: 2, unsubscribed: 1 });
  expect(fixture.counts(dry)).toEqual(fixture.counts(real));
  expect(await fixture.contacts()).toMatchObject({
    'Ana@Example.test': { properties: { city: 'Rome', plan: 'pro' } },
    'cy@example.test': { properties: { city: 'Oslo', plan: 'free' } },
    'bob@example.test': { status: 'unsubscribed' },
    u1: { status: 'unsubscribed' },
  });
});

test('what a source refuses fails the job, without its credentials; resumed it goes on where it was', async () => {
  const records = Array.from({ length: 20 }, (_, n) => contact(n + 1, `r-${n}`));
  const source = new ListSource(records, 5);
  let refuses = true;
  source.before = (at) => {
    if (at === 10 && refuses) throw new SourceFailure('invalid_credentials', 'The key is not accepted.');
  };
  const id = await fixture.job(source);
  expect(await fixture.ended(id)).toMatchObject({
    ...{ status: 'failed', error_code: 'invalid_credentials', credentials: null, imported: 10, worker: null },
  });
  refuses = false;
  await fixture.admin.query(
    `UPDATE import_jobs SET status = 'queued', due_at = created_at, error_code = NULL,
       credentials = (SELECT credentials FROM import_jobs WHERE id = $1) WHERE id = $1`,
    [id],
  );
  // Without credentials it fails again; they are stored for the duration of the job only.
  expect(await fixture.ended(id)).toMatchObject({ status: 'failed', error_code: 'invalid_credentials' });
  await fixture.resume(id, CREDENTIALS);
  expect(await fixture.ended(id)).toMatchObject({ status: 'completed', imported: 20, credentials: null });
  expect(source.asked).toEqual([0, 5, 10, 10, 15]);
});

test('what fails unforeseen is tried again, and at last has failed', async () => {
  const source = new ListSource([contact(1, 'x')], 1);
  source.before = () => {
    throw new TypeError('key-of-the-platform');
  };
  const id = await fixture.job(source);
  const winding = setInterval(() => fixture.app.clock.wind(5_000), 20);
  try {
    expect(await fixture.ended(id)).toMatchObject({
      status: 'failed',
      error_code: 'internal_error',
      credentials: null,
    });
  } finally {
    clearInterval(winding);
  }
  expect(source.asked).toHaveLength(MAX_IMPORT_FAILURES);
});

test('a job that was begun time after time and came no further has failed', async () => {
  const source = new ListSource([contact(1, 'x')], 1);
  const id = await fixture.job(source, { attempts: MAX_IMPORT_ATTEMPTS });
  expect(await fixture.ended(id)).toMatchObject({ status: 'failed', error_code: 'internal_error' });
  expect(source.asked).toEqual([]);
});

test('a job that waits is waited for by those behind it; one at a time runs, in order', async () => {
  const order: string[] = [];
  const first = new ListSource([contact(1, 'a'), contact(2, 'b')], 1);
  let waits = true;
  first.before = (at) => {
    order.push(`first ${at}`);
    if (at === 1 && waits) {
      waits = false;
      throw new RetryLaterError(600_000);
    }
  };
  const second = new ListSource([contact(1, 'c')], 1);
  second.before = (at) => void order.push(`second ${at}`);
  const firstId = await fixture.job(first);
  fixture.app.clock.wind(1);
  const secondId = await fixture.job(second);
  await until('the first one waits', async () => {
    const { status, worker, imported } = await fixture.row(firstId);
    return status === 'running' && worker === null && imported === 1;
  });
  await until('the second one waits behind it', async () => {
    const [one, other] = [await fixture.row(firstId), await fixture.row(secondId)];
    return other.status === 'queued' && other.due_at?.getTime() === one.due_at?.getTime();
  });
  fixture.app.clock.wind(600_000);
  await fixture.ended(firstId);
  await fixture.ended(secondId);
  expect(order).toEqual(['first 0', 'first 1', 'first 1', 'second 0']);
});

test('a job that is cancelled while it runs stores nothing more', async () => {
  const records = Array.from({ length: 20 }, (_, n) => contact(n + 1, `s-${n}`));
  const source = new ListSource(records, 1);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  source.before = async (at) => {
    if (at === 10) await held;
  };
  const id = await fixture.job(source);
  await until('ten are there', async () => (await fixture.row(id)).imported === 10);
  await fixture.admin.query(
    `UPDATE import_jobs SET status = 'cancelled', credentials = NULL, due_at = NULL, worker = NULL WHERE id = $1`,
    [id],
  );
  release();
  const next = await fixture.job(new ListSource([contact(1, 'next')], 1));
  await fixture.ended(next);
  expect(await fixture.row(id)).toMatchObject({ status: 'cancelled', imported: 10 });
  expect(Object.keys(await fixture.contacts())).toHaveLength(11);
});

test('a platform that wants to be left alone when it is asked for what else it has keeps no job, and none behind it', async () => {
  const source = new ListSource([contact(1, 'e')], 1);
  let asked = 0;
  source.assets = () => {
    asked++;
    throw new RetryLaterError(600_000);
  };
  const id = await fixture.job(source);
  const next = await fixture.job(new ListSource([contact(1, 'f')], 1));
  expect(await fixture.ended(id)).toMatchObject({ status: 'completed', credentials: null, imported: 1 });
  expect(await fixture.ended(next)).toMatchObject({ status: 'completed' });
  expect(asked).toBe(1);
});

test('a job that is cancelled while it asks what else there is asks no more', async () => {
  const source: ImportSource = new ListSource([contact(1, 'g')], 1);
  let signal: AbortSignal | undefined;
  source.assets = (_credentials, calls) => {
    signal = calls.signal;
    return new Promise((_resolve, reject) => {
      calls.signal.addEventListener('abort', () => reject(new Error('It is over.')));
    });
  };
  const id = await fixture.job(source as ListSource);
  await until('it is asked what else there is', () => signal !== undefined);
  expect(await fixture.row(id)).toMatchObject({ imported: 1 });
  await fixture.admin.query(
    `UPDATE import_jobs SET status = 'cancelled', credentials = NULL, due_at = NULL, worker = NULL WHERE id = $1`,
    [id],
  );
  await until('the calls are ended', () => signal?.aborted === true);
  expect(await fixture.row(id)).toMatchObject({ status: 'cancelled' });
});

test('what a job has asked of its platform is forgotten when it ends, whichever way', async () => {
  const factory = fixture.app.app.get(PlatformCallsFactory, { strict: false });
  const forgotten: string[] = [];
  const forget = factory.deleteUsage.bind(factory);
  factory.deleteUsage = (jobId) => {
    forgotten.push(jobId);
    forget(jobId);
  };
  const done = await fixture.job(new ListSource([contact(1, 'h')], 1));
  await fixture.ended(done);
  const source = new ListSource([contact(1, 'i')], 1);
  source.before = () => {
    throw new SourceFailure('platform_unavailable', 'Not now.');
  };
  const failed = await fixture.job(source);
  await fixture.ended(failed);
  await until('both are forgotten', () => forgotten.length === 2);
  expect(forgotten).toEqual([done, failed]);
});
