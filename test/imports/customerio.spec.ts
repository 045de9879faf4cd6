/** Customer.io's source against a server that implements Customer.io's App API. */
import { gzipSync } from 'node:zlib';
import type { SourceContact } from '../../src/modules/imports/domain/source-record.js';
import type { Credentials } from '../../src/modules/imports/domain/platform.js';
import { customerio } from '../../src/modules/imports/domain/platforms/customerio.js';
import { CUSTOMERIO_KEY, type CustomerioPerson, CustomerioServer } from './platforms/customerio-server.js';
import { zipOf } from './platforms/zip-archive.js';
import { killedAfterEachPage } from './support/killed-after-each-page.js';
import { PlainCalls } from './support/plain-calls.js';
import { contactsOf, readSource } from './support/read-source.js';
import { inOneLine } from './support/credential-problems.js';

const CREDENTIALS: Credentials = { appId: null, apiKey: CUSTOMERIO_KEY, extra: {} };

let server: CustomerioServer;
let calls: PlainCalls;

beforeEach(async () => {
  server = await new CustomerioServer().start();
  calls = new PlainCalls(server.url);
});
afterEach(() => server.stop());

function person(number: number, attributes: Readonly<Record<string, string>> = {}): CustomerioPerson {
  return {
    id: `user-${number}`,
    cio_id: `a${String(number).padStart(7, '0')}`,
    email: `person-${number}@example.com`,
    attributes,
  };
}

const people = (count: number): CustomerioPerson[] =>
  Array.from({ length: count }, (_, index) => person(index + 1));

const read = (credentials = CREDENTIALS) => readSource(customerio, credentials, calls);

async function only(attributes: Record<string, string>, rest: object = {}): Promise<SourceContact> {
  server.people = [{ ...person(1, attributes), ...rest }];
  const [contact] = contactsOf((await read()).records);
  if (!contact) throw new Error('There is no contact.');
  return contact;
}

const paths = (): string[] => server.asked.map(({ method, path }) => `${method} ${path}`);

describe('an export', () => {
  it('brings everybody, in pages, with a total', async () => {
    server.people = people(5_000);
    server.looksUntilReady = 3;
    const { records, pages } = await read();
    expect(contactsOf(records).map(({ externalId }) => externalId)).toEqual(
      server.people.map(({ id }) => id),
    );
    expect(records.map((record) => record.kind === 'contact' && record.row)).toEqual(
      server.people.map((_, index) => index + 1),
    );
    expect(pages.at(-1)).toMatchObject({ next: null, total: 5_000 });
    expect(pages.filter(({ records }) => records.length > 0).length).toBeGreaterThan(2);
    expect(Math.max(...pages.map(({ records }) => records.length))).toBeLessThanOrEqual(5_000);
  });

  it('asks for a filter that everybody passes, and for attributes by name', async () => {
    server.people = [person(1, { plan: 'gold' }), person(2, { city: 'Oslo' })];
    await read({ ...CREDENTIALS, extra: { attributes: 'rare, rarer' } });
    const { body } = server.asked.find(({ path }) => path === '/v1/exports/customers') ?? {};
    expect(body).toMatchObject({
      filters: { or: [{ attribute: { field: 'email', operator: 'exists' } }, { not: expect.anything() }] },
    });
    expect((body as { attributes: string[] }).attributes).toEqual(
      expect.arrayContaining(['email', 'unsubscribed', 'plan', 'city', 'rare', 'rarer']),
    );
  });

  it('learns names of attributes from people of the beginning, the middle and the end', async () => {
    server.people = people(900).map((one, index) =>
      [0, 450, 899].includes(index) ? person(index + 1, { [`only_${index}`]: 'yes' }) : one,
    );
    const contacts = contactsOf((await read()).records);
    expect(contacts[450]?.fields).toHaveProperty('only_450', 'yes');
    expect(contacts[899]?.fields).toHaveProperty('only_899', 'yes');
  });

  it('comes without learned names where the key may not list people', async () => {
    server.mayListPeople = false;
    await expect(only({ plan: 'gold', first_name: 'Zoë' })).resolves.toMatchObject({
      fields: { first_name: 'Zoë' },
    });
  });

  it('hears who refuses by a row that cannot be stored', async () => {
    server.people = [person(1, { unsubscribed: 'true', notes: 'a\0b' }), person(2)];
    const { records } = await read();
    expect(records).toMatchObject([
      {
        kind: 'unreadable',
        row: 1,
        externalId: 'user-1',
        code: 'invalid_row',
        readablePart: { optOut: 'unsubscribed' },
      },
      { kind: 'contact', row: 2, externalId: 'user-2', optOut: null },
    ]);
  });

  it('is of one segment where one is named', async () => {
    await read({ ...CREDENTIALS, extra: { segment_id: '3' } });
    expect(server.asked.find(({ path }) => path === '/v1/exports/customers')?.body).toMatchObject({
      filters: { and: [{ segment: { id: 3 } }] },
    });
    const unknown = { ...CREDENTIALS, extra: { segment_id: '404' } };
    await expect(readSource(customerio, unknown, calls)).rejects.toMatchObject({ code: 'source_not_found' });
  });

  it('is looked at again with growing waits', async () => {
    server.people = people(1);
    server.looksUntilReady = 12;
    const { pages } = await read();
    const waits = pages.flatMap(({ retryAfterMs: retryAfterMs }) => retryAfterMs ?? []);
    expect(waits).toHaveLength(12);
    expect(waits.slice(0, 3)).toEqual([1_000, 1_500, 2_250]);
    expect(Math.max(...waits)).toBe(60_000);
  });

  it('may be of nobody', async () => {
    await expect(read()).resolves.toMatchObject({ records: [] });
    server.file = Buffer.from('id,email\n');
    const { records, pages } = await read();
    expect(records).toEqual([]);
    expect(pages.at(-1)?.next).toBeNull();
  });

  it('is begun again where it failed, and not for ever', async () => {
    server.people = people(3);
    server.failures = 2;
    expect((await read()).records).toHaveLength(3);
    expect(server.exports).toHaveLength(3);
    server.failures = 100;
    await expect(read()).rejects.toMatchObject({ code: 'platform_unavailable' });
    expect(server.exports.length).toBeLessThan(10);
  });

  it('is begun again where Customer.io knows it no more', async () => {
    server.people = people(3);
    const { records } = await readSource(customerio, CREDENTIALS, calls, (_page, number) => {
      if (number === 1) server.exports.splice(0, 1);
      if (number === 1) server.firstId = 300;
    });
    expect(records).toHaveLength(3);
    expect(server.exports.map(({ id }) => id)).toEqual([300]);
  });

  it('gets a new link where one has expired', async () => {
    server.people = people(3);
    server.expiredLinks = 2;
    expect((await read()).records).toHaveLength(3);
    expect(calls.downloaded).toHaveLength(3);
    expect(new Set(calls.downloaded).size).toBe(3);
    expect(server.exports).toHaveLength(1);
  });

  it.each([
    ['where a kill left it', true],
    ['with a new link, where the file is gone', false],
  ])('goes on %s, with nobody twice and nobody missing', async (_where, keepsFiles) => {
    server.people = people(5_000).map((_, index) => person(index + 1, { note: `line\n${index}, "q"` }));
    const killed = killedAfterEachPage(customerio, server.url, keepsFiles);
    const { records } = await readSource(killed.source, CREDENTIALS, calls);
    expect(contactsOf(records).map(({ externalId }) => externalId)).toEqual(
      server.people.map(({ id }) => id),
    );
    expect(records.at(-1)).toMatchObject({ row: 5_000, fields: { note: 'line\n4999, "q"' } });
    expect(killed.downloaded).toHaveLength(keepsFiles ? 1 : 3);
    expect(server.exports).toHaveLength(1);
  });

  it.each([
    ['gzipped', (csv: Buffer) => gzipSync(csv)],
    ['in an archive', (csv: Buffer) => zipOf([{ name: 'people.csv', contents: csv }])],
  ])('may come %s', async (_how, fold) => {
    server.file = fold(Buffer.from('id,email\nuser-1,one@example.com\nuser-2,two@example.com\n'));
    expect(contactsOf((await read()).records).map(({ externalId }) => externalId)).toEqual([
      'user-1',
      'user-2',
    ]);
  });

  it('is downloaded again where it is damaged, and fails the job where it stays so', async () => {
    server.file = gzipSync(Buffer.from('id,email\nuser-1,one@example.com\n')).subarray(0, 30);
    await expect(read()).rejects.toMatchObject({ code: 'file_unreadable' });
    expect(calls.downloaded).toHaveLength(3);
  });

  it.each([
    ['is empty', () => Buffer.alloc(0)],
    ['is a page', () => Buffer.from('<?xml version="1.0"?>\n<Error><Code>Busy</Code></Error>\n')],
    ['is an archive of nothing', () => zipOf([])],
  ])('is none where what comes %s', async (_how, file) => {
    server.file = file();
    await expect(read()).rejects.toMatchObject({ code: 'file_unreadable' });
    server.file = Buffer.from('id,email\n');
    expect((await read()).records).toEqual([]);
  });
});

describe('suppressions', () => {
  it('come before anybody, page by page', async () => {
    server.people = people(2);
    server.suppressions = {
      bounces: Array.from({ length: 2_300 }, (_, index) => `bounced-${index}@example.com`),
      spam_reports: ['complained@example.com'],
      invalid_emails: ['invalid@example'],
      blocks: ['blocked@example.com'],
    };
    const { records } = await read();
    const suppressed = records.flatMap((record) => (record.kind === 'suppression' ? [record] : []));
    expect(suppressed[0]).toEqual({
      kind: 'suppression',
      email: 'complained@example.com',
      reason: 'complained',
    });
    const bounced = new Set(
      suppressed.filter(({ reason }) => reason === 'bounced').map(({ email }) => email),
    );
    expect(bounced.size).toBe(2_301);
    expect(bounced).not.toContain('blocked@example.com');
    expect(records.slice(-2).map(({ kind }) => kind)).toEqual(['contact', 'contact']);
  });

  it('fail the job where a list breaks off in its midst', async () => {
    server.people = people(2);
    server.suppressions = {
      bounces: Array.from({ length: 1_500 }, (_, index) => `bounced-${index}@example.com`),
    };
    const broken = readSource(customerio, CREDENTIALS, calls, ({ records }) => {
      if (records.length === 1_000)
        server.failNext(/suppression\/bounces/, { reply: { status: 404, body: {} } });
    });
    await expect(broken).rejects.toMatchObject({ code: 'platform_unavailable' });
  });

  it('are none where mail goes through another service', async () => {
    server.people = people(2);
    server.hasOwnEmailService = true;
    expect((await read()).records).toHaveLength(2);
  });
});

describe('failures of the platform', () => {
  it('fails with invalid_credentials at once on a wrong key', async () => {
    const wrong = { ...CREDENTIALS, apiKey: 'wrong' };
    await expect(readSource(customerio, wrong, calls)).rejects.toMatchObject({ code: 'invalid_credentials' });
    // The search for attributes may be refused; the export may not.
    expect(server.asked.length).toBeLessThanOrEqual(2);
  });

  it('goes on after 500, a cut answer, one that is no JSON, and a cut download', async () => {
    server.people = people(3);
    server.failNext(
      /exports\/110$/,
      { reply: { status: 500, body: {} } },
      { isCut: true },
      { text: '<html>' },
    );
    server.failNext(/storage/, { isCut: true });
    expect((await read()).records).toHaveLength(3);
  });

  it('waits for 429', async () => {
    server.people = people(3);
    server.failNext(
      /exports/,
      { reply: { status: 429, body: {}, headers: { 'retry-after': '3' } } },
      { reply: { status: 429, body: {} } },
    );
    expect((await read()).records).toHaveLength(3);
    expect(calls.waits).toEqual([3, null]);
  });

  it.each([
    ['no export', '{"export":7}'],
    ['an export without an id', '{"export":{}}'],
  ])('fails with platform_unavailable on %s', async (_name, text) => {
    server.failNext(/exports\/customers/, { text });
    await expect(read()).rejects.toMatchObject({ code: 'platform_unavailable' });
  });

  it('takes rows that cannot be read for themselves', async () => {
    server.file = Buffer.from('id,email\nuser-1,one@example.com\na,b,c,d\n\nuser-2,two@example.com\n');
    const { records } = await read();
    expect(records.map(({ kind }) => kind)).toEqual(['contact', 'unreadable', 'contact']);
    expect(records[1]).toMatchObject({ row: 2, code: 'invalid_row' });
    expect(records[2]).toMatchObject({ row: 3, externalId: 'user-2' });
  });
});

describe('the table of fields', () => {
  const VALUES: Readonly<Record<string, string>> = {
    first_name: 'Zoë',
    last_name: 'Washburne',
    phone: '+1123456789',
    timezone: 'Europe/Berlin',
    locale: 'pt-BR',
  };

  test.each(Object.keys(VALUES))('%s', async (field) => {
    expect((await only(VALUES)).fields[field]).toBe(VALUES[field]);
  });

  it('goes by the id, else by nothing of Customer.io’s', async () => {
    await expect(only({})).resolves.toMatchObject({ externalId: 'user-1', fields: { id: 'user-1' } });
    await expect(only({}, { id: undefined })).resolves.toMatchObject({ externalId: null });
  });

  it('takes language and the place for what is not said', async () => {
    const { fields } = await only({ language: 'pt_BR', cio_timezone: 'Europe/Oslo' });
    expect(fields).toMatchObject({ locale: 'pt-BR', timezone: 'Europe/Oslo' });
  });

  it('brings everything else as text, and leaves out what says nothing', async () => {
    const { fields } = await only({ plan: 'gold', seats: '5', empty: '' });
    expect(fields).toMatchObject({ plan: 'gold', seats: '5', cio_id: 'a0000001' });
    expect(fields).not.toHaveProperty('empty');
  });
});

describe('opt-outs', () => {
  test.each([
    ['true', 'unsubscribed'],
    ['True', 'unsubscribed'],
    ['1', 'unsubscribed'],
    ['yes', 'unsubscribed'],
    ['false', null],
    ['0', null],
    ['', null],
  ])('unsubscribed is %j', async (unsubscribed, optOut) => {
    await expect(only({ unsubscribed })).resolves.toMatchObject({ optOut });
  });
});

describe('things', () => {
  it('names what there is, and leaves out what may not be read', async () => {
    server.things = {
      segments: [{ id: 1, name: 'Active', type: 'dynamic' }],
      campaigns: [{ id: 2, name: 'Welcome', state: 'running' }],
      newsletters: Array.from({ length: 1_200 }, (_, index) => ({ id: index, name: `News ${index}` })),
      transactional: [{ id: 4, name: 'Receipt' }],
    };
    const things = await customerio.assets(CREDENTIALS, calls);
    expect(things.length).toBeLessThanOrEqual(1_000);
    expect(things).toEqual(
      expect.arrayContaining([
        { kind: 'segment', name: 'Active', detail: 'dynamic' },
        { kind: 'automation', name: 'Welcome', detail: 'running' },
        { kind: 'campaign', name: 'News 0', detail: null },
        { kind: 'template', name: 'Receipt', detail: null },
      ]),
    );
    expect(paths()).toContain('GET /v1/broadcasts');
  });
});

describe('credentials', () => {
  test.each([
    [
      'no key',
      { ...CREDENTIALS, apiKey: null },
      'credentials.apiKey must be 1 to 512 visible ASCII characters',
    ],
    [
      'a region that there is not',
      { ...CREDENTIALS, extra: { region: 'toString' } },
      'credentials.extra.region must be us or eu',
    ],
    [
      'a segment that is no number',
      { ...CREDENTIALS, extra: { segment_id: '3/../4' } },
      'credentials.extra.segment_id must be a number',
    ],
    ['the region of Europe', { ...CREDENTIALS, extra: { region: 'EU' } }, null],
    ['no region', CREDENTIALS, null],
  ])('%s', (_name, credentials, expected) => {
    expect(inOneLine(customerio.problemOf(credentials))).toBe(expected);
  });

  test.each([
    ['', 'https://api.customer.io'],
    ['us', 'https://api.customer.io'],
    ['eu', 'https://api-eu.customer.io'],
  ])('region %j is asked at %s', async (region, home) => {
    const homes: string[] = [];
    calls.baseUrl = (own) => {
      homes.push(own);
      return server.url;
    };
    await customerio.page({ ...CREDENTIALS, extra: { region } }, null, calls);
    expect(homes).toEqual([home]);
  });
});
