/** Braze's source against a server that implements Braze's REST API. */
import { gzipSync } from 'node:zlib';
import type { SourceContact } from '../../src/modules/imports/domain/source-record.js';
import { mappingOf } from '../../src/modules/imports/domain/mapping.js';
import { readBatch } from '../../src/modules/imports/domain/read-batch.js';
import type { Credentials } from '../../src/modules/imports/domain/platform.js';
import { braze } from '../../src/modules/imports/domain/platforms/braze.js';
import {
  BRAZE_KEY,
  BRAZE_SEGMENT,
  BrazeServer,
  type BrazeUser,
  brazeUser,
} from './platforms/braze-server.js';
import { zipOf } from './platforms/zip-archive.js';
import { killedAfterEachPage } from './support/killed-after-each-page.js';
import { PlainCalls } from './support/plain-calls.js';
import { contactsOf, readSource } from './support/read-source.js';
import { inOneLine } from './support/credential-problems.js';

const EXTRA = { endpoint: 'https://rest.iad-01.braze.com', segment_id: BRAZE_SEGMENT };
const CREDENTIALS: Credentials = { appId: null, apiKey: BRAZE_KEY, extra: EXTRA };

let server: BrazeServer;
let calls: PlainCalls;

beforeEach(async () => {
  server = await new BrazeServer().start();
  calls = new PlainCalls(server.url);
});
afterEach(() => server.stop());

const users = (count: number): BrazeUser[] =>
  Array.from({ length: count }, (_, index) => brazeUser(index + 1));

const read = () => readSource(braze, CREDENTIALS, calls);

async function only(fields: BrazeUser): Promise<SourceContact> {
  server.users = [brazeUser(1, fields)];
  const [contact] = contactsOf((await read()).records);
  if (!contact) throw new Error('There is no contact.');
  return contact;
}

const lines = (...all: string[]): Buffer => zipOf([{ name: 'users.txt', contents: all.join('\n') }]);

describe('an export', () => {
  it('brings everybody of several files in one archive, and tells how far it is', async () => {
    server.users = users(6_000);
    server.usersOfFile = 1_300;
    server.looksUntilReady = 3;
    const { records, pages } = await read();
    expect(contactsOf(records).map(({ externalId, row }) => [externalId, row])).toEqual(
      server.users.map(({ external_id: id }, index) => [id, index + 1]),
    );
    const shares = pages.flatMap(({ share }) => share ?? []);
    expect(shares).toEqual([...shares].sort((one, other) => one - other));
    expect(pages.flatMap(({ retryAfterMs: retryAfterMs }) => retryAfterMs ?? [])).toEqual([
      1_000, 1_500, 2_250,
    ]);
    expect(server.begun).toBe(1);
  });

  it('reads what was downloaded some times over at most, however many files there are', async () => {
    server.users = users(3_000).map((user, index) => ({ ...user, noise: `${Math.sin(index)}`.repeat(20) }));
    server.usersOfFile = 10;
    calls.pieceBytes = 16_384;
    expect((await read()).records).toHaveLength(3_000);
    const [file] = [...calls.files.values()];
    expect(calls.bytesRead).toBeLessThan(25 * (file?.length ?? 0));
  });

  it('names the fields that it wants, whether people are subscribed among them', async () => {
    await read();
    expect(server.asked[0]?.body).toMatchObject({
      segment_id: BRAZE_SEGMENT,
      fields_to_export: expect.arrayContaining([
        'external_id',
        'email',
        'email_subscribe',
        'custom_attributes',
      ]),
    });
  });

  it('fails with export_without_url where the account has a storage of its own', async () => {
    server.hasCloudStorage = true;
    await expect(read()).rejects.toMatchObject({ code: 'export_without_url' });
    expect(server.asked).toHaveLength(1);
  });

  it('waits for another export of the segment, and not for ever', async () => {
    server.users = users(2);
    server.busy = 2;
    const { records, pages } = await read();
    expect(records).toHaveLength(2);
    expect(pages.slice(0, 2).map(({ retryAfterMs: retryAfterMs }) => retryAfterMs)).toEqual([60_000, 60_000]);
    server.busy = 10_000;
    await expect(read()).rejects.toMatchObject({ code: 'platform_unavailable' });
  });

  it('fails with source_not_found where there is no such segment', async () => {
    const other = { ...CREDENTIALS, extra: { ...EXTRA, segment_id: 'other' } };
    await expect(readSource(braze, other, calls)).rejects.toMatchObject({ code: 'source_not_found' });
  });

  it('gives up where nothing ever becomes ready', async () => {
    server.looksUntilReady = 1_000_000;
    await expect(read()).rejects.toMatchObject({ code: 'platform_unavailable' });
    expect(server.begun).toBe(3);
  });

  it.each([
    ['where a kill left it', true],
    ['with the same archive, where the file is gone', false],
  ])('goes on %s', async (_where, keepsFiles) => {
    server.users = users(6_000);
    server.usersOfFile = 1_300;
    const { records } = await readSource(
      killedAfterEachPage(braze, server.url, keepsFiles).source,
      CREDENTIALS,
      calls,
    );
    expect(contactsOf(records).map(({ externalId }) => externalId)).toEqual(
      server.users.map(({ external_id: id }) => id),
    );
    expect(server.begun).toBe(1);
  });

  it('is begun again, and read from its beginning, where its address has expired', async () => {
    server.users = users(5_000);
    const killed = killedAfterEachPage(braze, server.url, false);
    let isExpired = false;
    const { records } = await readSource(killed.source, CREDENTIALS, calls, ({ records: some }) => {
      if (some.length > 0 && !isExpired) {
        isExpired = true;
        server.expiredUpTo = 1;
        server.users = [brazeUser(0), ...server.users];
      }
    });
    const rows = contactsOf(records).map(({ row }) => row);
    expect(new Set(contactsOf(records).map(({ externalId }) => externalId)).size).toBe(5_001);
    expect(rows).toEqual(rows.map((_, index) => index + 1));
    expect(server.begun).toBe(2);
  });

  it('may be of nobody', async () => {
    expect((await read()).records).toEqual([]);
    server.file = zipOf([{ name: 'users.txt', contents: '' }]);
    expect((await read()).records).toEqual([]);
  });

  it.each([
    ['gzipped', (text: string) => gzipSync(text)],
    ['stored as it is', (text: string) => zipOf([{ name: 'a.json', contents: text, isStored: true }])],
    [
      'below a folder',
      (text: string) =>
        zipOf([
          { name: 'a/', contents: '' },
          { name: 'a/b.json', contents: text },
        ]),
    ],
  ])('may come %s', async (_how, fold) => {
    server.file = fold('{"external_id":"one"}\r\n\n{"external_id":"two"}');
    expect(contactsOf((await read()).records).map(({ externalId }) => externalId)).toEqual(['one', 'two']);
  });

  it('takes lines that cannot be read for themselves', async () => {
    server.file = lines(
      '{"external_id":"one"}',
      'no JSON',
      '7',
      `{"x":"${'x'.repeat(2_000_000)}"}`,
      '{"external_id":"two"}',
    );
    const { records } = await read();
    expect(records.map(({ kind }) => kind)).toEqual([
      'contact',
      'unreadable',
      'unreadable',
      'unreadable',
      'contact',
    ]);
    expect(records[4]).toMatchObject({ row: 5, externalId: 'two' });
  });

  it('hears who refuses by a line that cannot be stored', async () => {
    server.file = lines(
      '{"external_id":"one","email":"one@example.test","email_subscribe":"unsubscribed","dob":1e999}',
      '{"external_id":"two","email_subscribe":"opted_in","__proto__":1}',
    );
    const mapping = mappingOf(braze.fields, { fieldMapping: {}, tags: [] });
    const {
      contacts,
      errors,
      rejectedOptOuts: rejectedOptOuts,
    } = await readBatch((await read()).records, mapping);
    expect(contacts).toEqual([]);
    expect(errors).toMatchObject([
      { row: 1, externalId: 'one', detail: 'The record contains a number that is out of range.' },
      { row: 2, externalId: 'two', code: 'invalid_row' },
    ]);
    expect(rejectedOptOuts).toEqual([
      { externalId: 'one', email: 'one@example.test', optOut: 'unsubscribed' },
    ]);
  });

  it.each([
    ['is cut off', () => lines(...users(500).map((user) => JSON.stringify(user))).subarray(0, 4_000)],
    ['is empty', () => Buffer.alloc(0)],
    ['is a page', () => Buffer.from('<!DOCTYPE html>\n<html></html>\n')],
    ['has another checksum', () => zipOf([{ name: 'a', contents: '{}', said: { crc32: 7 } }])],
    ['has another size', () => zipOf([{ name: 'a', contents: '{}', said: { size: 1_000 } }])],
    [
      'is folded in a way that is not known',
      () => zipOf([{ name: 'a', contents: '{}', said: { method: 99 } }]),
    ],
    ['unfolds to what no export can', () => zipOf([{ name: 'a', contents: Buffer.alloc(200_000_000) }])],
    [
      'says less of what it unfolds to',
      () => zipOf([{ name: 'a', contents: Buffer.alloc(9_000_000), said: { size: 9 } }]),
    ],
  ])('fails with file_unreadable where the archive %s', async (_how, file) => {
    server.file = file();
    await expect(read()).rejects.toMatchObject({ code: 'file_unreadable' });
    expect(calls.downloaded.length).toBeLessThanOrEqual(3);
  });
});

describe('suppressions', () => {
  it('are the addresses that bounced, before anybody', async () => {
    server.users = users(1);
    server.bounced = Array.from({ length: 1_200 }, (_, index) => `bounced-${index}@example.com`);
    const { records } = await read();
    const emails = records.flatMap((record) => (record.kind === 'suppression' ? [record.email] : []));
    expect(new Set(emails).size).toBe(1_200);
    expect(records.at(-1)?.kind).toBe('contact');
    const { query } = server.asked.find(({ path }) => path === '/email/hard_bounces') ?? {};
    expect(Date.parse(query?.get('end_date') ?? '')).toBeGreaterThan(Date.now() - 86_400_000);
  });

  it('are none where the key may not read them', async () => {
    server.users = users(1);
    server.mayReadBounces = false;
    expect((await read()).records).toHaveLength(1);
  });
});

describe('failures of the platform', () => {
  it('fails with invalid_credentials at once on a wrong key', async () => {
    const wrong = { ...CREDENTIALS, apiKey: 'wrong' };
    await expect(readSource(braze, wrong, calls)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(server.asked).toHaveLength(1);
  });

  it('goes on after 500, a cut answer, one that is no JSON, and a cut download', async () => {
    server.users = users(3);
    server.failNext(/segment/, { reply: { status: 500, body: {} } }, { isCut: true }, { text: '<html>' });
    server.failNext(/appboy/, { isCut: true });
    expect((await read()).records).toHaveLength(3);
  });

  it('waits for 429', async () => {
    server.users = users(3);
    server.failNext(
      /segment/,
      { reply: { status: 429, body: {}, headers: { 'x-ratelimit-retry-after': '4' } } },
      { reply: { status: 429, body: {} } },
    );
    expect((await read()).records).toHaveLength(3);
    expect(calls.waits).toEqual([4, null]);
  });

  it.each(['{"message":"success"}', '7'])('fails with platform_unavailable on %s', async (text) => {
    server.failNext(/segment/, { text });
    await expect(read()).rejects.toMatchObject({ code: 'platform_unavailable' });
  });
});

describe('the table of fields', () => {
  const VALUES: Readonly<Record<string, string>> = {
    external_id: 'A8i3mkd99',
    email: 'jane@example.com',
    first_name: 'Jane',
    last_name: 'Doe',
    phone: '+442071838750',
    language: 'en',
    time_zone: 'Europe/London',
  };

  test.each(Object.keys(braze.fields))('%s', async (field) => {
    expect((await only(VALUES)).fields[field]).toBe(VALUES[field]);
  });

  test.each([
    ['Eastern Time (US & Canada)', 'America/New_York'],
    ['Kyiv', 'Europe/Kiev'],
    ['America/Chicago', 'America/Chicago'],
    ['Nowhere', 'Nowhere'],
  ])('the time zone %j is %s', async (name, zone) => {
    expect((await only({ time_zone: name })).fields.time_zone).toBe(zone);
  });

  it('goes by the external id, else by nothing of Braze’s', async () => {
    await expect(only({})).resolves.toMatchObject({ externalId: 'user-1' });
    await expect(only({ external_id: undefined })).resolves.toMatchObject({ externalId: null });
  });

  it('brings everything else under its own name', async () => {
    const { fields } = await only({
      home_city: 'Chicago',
      user_aliases: [{ alias_name: 'user_123', alias_label: 'amplitude_id' }],
      custom_attributes: {
        loyaltyId: '37c9',
        points: 107,
        email: 'other@example.com',
        phone: '7',
        none: null,
      },
    });
    expect(fields).toMatchObject({
      home_city: 'Chicago',
      user_aliases: [{ alias_name: 'user_123', alias_label: 'amplitude_id' }],
      loyaltyId: '37c9',
      points: 107,
      email: 'person-1@example.com',
      'custom_attributes.email': 'other@example.com',
      'custom_attributes.phone': '7',
      email_subscribe: 'subscribed',
    });
    expect(fields).not.toHaveProperty('none');
    expect(fields).not.toHaveProperty('custom_attributes');
  });
});

describe('opt-outs', () => {
  test.each([
    [{ email_subscribe: 'unsubscribed' }, 'unsubscribed'],
    [{ email_subscribe: 'subscribed' }, null],
    [{ email_subscribe: 'opted_in', push_subscribe: 'unsubscribed' }, null],
    [{ email_subscribe: undefined }, null],
  ])('%j', async (fields, optOut) => {
    await expect(only(fields)).resolves.toMatchObject({ optOut });
  });
});

describe('things', () => {
  it('names segments, Canvases, campaigns and templates, a thousand at most', async () => {
    server.things = {
      'segments/list': Array.from({ length: 1_200 }, (_, index) => ({ id: index, name: `Segment ${index}` })),
      'canvas/list': [{ id: 'c', name: 'Welcome' }],
      'templates/email/list': [{ email_template_id: 't', template_name: 'Receipt' }],
    };
    const things = await braze.assets(CREDENTIALS, calls);
    expect(things.filter(({ kind }) => kind === 'segment')).toHaveLength(250);
    expect(things.slice(-2)).toEqual([
      { kind: 'automation', name: 'Welcome', detail: null },
      { kind: 'template', name: 'Receipt', detail: null },
    ]);
  });
});

describe('credentials', () => {
  const endpoint =
    'credentials.extra.endpoint must be https://rest.….braze.com or https://rest.….braze.eu, such as https://rest.iad-01.braze.com';
  test.each([
    ['https://rest.iad-01.braze.com', null],
    ['https://rest.fra-01.braze.eu/', null],
    ['https://REST.us-10.Braze.com', null],
    ['', endpoint],
    ['http://rest.iad-01.braze.com', endpoint],
    ['https://rest.iad-01.braze.com.evil.example', endpoint],
    ['https://rest.evil.example/.braze.com', endpoint],
    ['https://rest.x@127.0.0.1/.braze.com', endpoint],
    ['https://rest.iad-01.braze.com:8443', endpoint],
    ['https://rest.-.braze.com', endpoint],
    ['https://rest.iad-01.braze.com/v1', endpoint],
    ['https://sdk.iad-01.braze.com', endpoint],
    ['https://rest.braze.com', endpoint],
    ['https://rest.iad-01.braze.com\n', null],
  ])('the endpoint %j', (named, expected) => {
    expect(inOneLine(braze.problemOf({ ...CREDENTIALS, extra: { ...EXTRA, endpoint: named } }))).toBe(
      expected,
    );
  });

  test.each([
    ['', 'credentials.extra.segment_id can only contain letters, digits, hyphens and underscores'],
    ['../..', 'credentials.extra.segment_id can only contain letters, digits, hyphens and underscores'],
  ])('the segment %j', (segment_id, expected) => {
    expect(inOneLine(braze.problemOf({ ...CREDENTIALS, extra: { ...EXTRA, segment_id } }))).toBe(expected);
  });

  it('asks no other host, whatever the job was given', async () => {
    const other = { ...CREDENTIALS, extra: { ...EXTRA, endpoint: 'https://evil.example' } };
    await expect(braze.page(other, null, calls)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(server.asked).toEqual([]);
  });
});
