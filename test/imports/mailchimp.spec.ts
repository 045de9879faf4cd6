/** Mailchimp's source against a server that implements Mailchimp's API. */
import type {
  SourceContact,
  SourceRecord,
  OptOutReason,
} from '../../src/modules/imports/domain/source-record.js';
import type { Credentials } from '../../src/modules/imports/domain/platform.js';
import { mailchimp } from '../../src/modules/imports/domain/platforms/mailchimp.js';
import { MAILCHIMP_KEY, mailchimpMember, MailchimpServer, problem } from './platforms/mailchimp-server.js';
import { PlainCalls } from './support/plain-calls.js';
import { contactsOf, readSource } from './support/read-source.js';
import { inOneLine } from './support/credential-problems.js';

const CREDENTIALS: Credentials = { appId: null, apiKey: MAILCHIMP_KEY, extra: {} };
const ONE_LIST: Credentials = { ...CREDENTIALS, extra: { list_id: 'a36b032126' } };
const MEMBERS = /\/members$/;

let server: MailchimpServer;
let calls: PlainCalls;

beforeEach(async () => {
  server = await new MailchimpServer().start();
  calls = new PlainCalls(server.url);
});
afterEach(() => server.stop());

const people = (count: number, from = 1): unknown[] =>
  Array.from({ length: count }, (_, index) => mailchimpMember(from + index));

const read = (credentials = ONE_LIST) => readSource(mailchimp, credentials, calls);
const emailsOf = (records: readonly SourceRecord[]): unknown[] =>
  contactsOf(records).map(({ fields }) => fields.email_address);

async function only(attributes: Record<string, unknown>): Promise<SourceContact> {
  server.audiences.set('a36b032126', [mailchimpMember(1, attributes)]);
  const [contact] = contactsOf((await read()).records);
  if (!contact) throw new Error('There is no contact.');
  return contact;
}

describe('pages', () => {
  it('reads all members of an audience, each once, numbered from 1', async () => {
    server.audiences.set('a36b032126', people(2_500));
    const { records, pages } = await read();
    expect(contactsOf(records).map(({ row }) => row)).toEqual(Array.from({ length: 2_500 }, (_, i) => i + 1));
    expect(new Set(emailsOf(records)).size).toBe(2_500);
    expect(pages.map(({ total }) => total)).toEqual([2_500, 2_500, 2_500]);
    expect(server.asked.map(({ query }) => query.get('count'))).toEqual(['1000', '1000', '1000']);
  });

  it('reads all audiences, more than the ten that come unasked', async () => {
    for (let list = 1; list <= 12; list++) server.audiences.set(`list${list}`, people(3, list * 10));
    const { records, pages } = await read(CREDENTIALS);
    expect(new Set(emailsOf(records)).size).toBe(36);
    expect(pages.map(({ total }) => total)).toEqual(Array.from({ length: 12 }, () => 36));
  });

  it('reads an empty account, and an empty audience', async () => {
    await expect(read(CREDENTIALS)).resolves.toMatchObject({
      records: [],
      pages: [{ next: null, total: 0 }],
    });
    server.audiences.set('a36b032126', []);
    await expect(read(CREDENTIALS)).resolves.toMatchObject({
      records: [],
      pages: [{ next: null, total: 0 }],
    });
  });

  it('leads on where a platform gives less of a page than it was asked for', async () => {
    server.pageLimit = 7;
    server.audiences.set('a36b032126', people(50));
    const { records } = await read();
    expect(emailsOf(records)).toHaveLength(50);
    server.pageLimit = 1;
    expect(emailsOf((await read()).records)).toHaveLength(50);
  });

  it('asks for fewer members where a page would be too large', async () => {
    const large = 'x'.repeat(60_000);
    server.audiences.set(
      'a36b032126',
      people(400).map((member) => ({ ...(member as object), source: large })),
    );
    const { records } = await read();
    expect(new Set(emailsOf(records)).size).toBe(400);
    expect(records).toHaveLength(400);
    expect(server.asked[1]?.query.get('count')).toBe('250');
  });

  it('asks for fewer members where no answer may be as large as a page', async () => {
    const large = 'x'.repeat(90_000);
    server.audiences.set(
      'a36b032126',
      people(400).map((member) => ({ ...(member as object), source: large })),
    );
    const { records } = await read();
    expect(new Set(emailsOf(records)).size).toBe(400);
    expect(server.asked[1]?.query.get('count')).toBe('250');
  });

  it('goes on with the others when an audience is deleted', async () => {
    for (const list of ['list1', 'list2', 'list3'])
      server.audiences.set(list, people(2, Number(list[4]) * 10));
    const { records } = await readSource(mailchimp, CREDENTIALS, calls, (_page, number) => {
      if (number === 1) server.audiences.delete('list2');
    });
    expect(emailsOf(records)).toHaveLength(4);
  });

  it('fails with source_not_found on an audience that there is not', async () => {
    await expect(read()).rejects.toMatchObject({
      code: 'source_not_found',
      detail: 'Mailchimp has no audience with the ID in credentials.extra.list_id.',
    });
  });

  test.each([
    ['no object', '[]'],
    ['no list', '{"total_items":3}'],
    ['a list that is none', '{"members":"many"}'],
    ['nothing where there is more', '{"members":[],"total_items":3}'],
  ])('fails with platform_unavailable on %s', async (_name, text) => {
    server.audiences.set('a36b032126', people(3));
    server.failNext(MEMBERS, { text });
    await expect(read()).rejects.toMatchObject({ code: 'platform_unavailable' });
  });

  it('takes records that cannot be read for themselves', async () => {
    server.audiences.set('a36b032126', [
      null,
      'member',
      { id: 5, email_address: ['x'], merge_fields: 7, location: null, tags: 'none' },
      mailchimpMember(4),
    ]);
    const { records } = await read();
    expect(records.map(({ kind }) => kind)).toEqual(['unreadable', 'unreadable', 'contact', 'contact']);
    expect(records[1]).toMatchObject({ row: 2, code: 'invalid_row' });
  });
});

describe('members that come and go while they are read', () => {
  const all = (): unknown[] => server.audiences.get('a36b032126') ?? [];
  const without = (from: number, count: number): void => {
    server.audiences.set('a36b032126', all().toSpliced(from, count));
  };

  test.each([
    ['some', 7],
    ['as many as pages overlap', 20],
    ['a whole page', 990],
  ])('loses nobody when %s of those before are deleted', async (_name, count) => {
    server.audiences.set('a36b032126', people(3_000));
    const { records } = await readSource(mailchimp, ONE_LIST, calls, (_page, number) => {
      if (number === 1) without(0, count);
    });
    const emails = new Set(emailsOf(records));
    expect(all().every((member) => emails.has((member as { email_address: string }).email_address))).toBe(
      true,
    );
    expect(emails.size).toBe(3_000);
    expect(records).toHaveLength(3_000);
  });

  it('loses nobody when those at the end of a page are deleted', async () => {
    server.audiences.set('a36b032126', people(3_000));
    const { records } = await readSource(mailchimp, ONE_LIST, calls, (_page, number) => {
      if (number === 1) without(970, 30);
    });
    expect(new Set(emailsOf(records)).size).toBe(3_000);
  });

  it('loses nobody when the whole beginning is deleted, page after page', async () => {
    server.audiences.set('a36b032126', people(4_000));
    const { records } = await readSource(mailchimp, ONE_LIST, calls, (_page, number) => {
      if (number <= 3) without(0, 300);
    });
    expect(new Set(emailsOf(records)).size).toBe(4_000);
  });

  it('reads nobody twice when others join before and behind', async () => {
    server.audiences.set('a36b032126', people(2_000));
    const { records } = await readSource(mailchimp, ONE_LIST, calls, (_page, number) => {
      if (number > 1) return;
      const early = Array.from({ length: 40 }, (_, i) =>
        mailchimpMember(8_000 + i, { timestamp_signup: '' }),
      );
      server.audiences.set('a36b032126', [...early, ...all(), ...people(10, 9_000)]);
    });
    const emails = emailsOf(records);
    expect(new Set(emails).size).toBe(emails.length);
    expect(emails).toHaveLength(2_010);
  });

  it('loses nobody of those that stood behind when the order is none to rely on', async () => {
    server.audiences.set('a36b032126', people(2_000));
    const { records } = await readSource(mailchimp, ONE_LIST, calls, (_page, number) => {
      if (number > 1) return;
      const members = all() as Record<string, unknown>[];
      const behind = members.slice(990).map((member, index) => (index % 2 === 0 ? member : { ...member }));
      const mixed = behind.map((member, index) => ({
        ...member,
        timestamp_signup: new Date(
          Date.UTC(2023, 0, 1) + ((index * 7_919) % behind.length) * 1_000,
        ).toISOString(),
      }));
      server.audiences.set('a36b032126', [...members.slice(0, 990), ...mixed]);
    });
    expect(new Set(emailsOf(records)).size).toBe(2_000);
  });
});

describe('failures of the platform', () => {
  it('fails with invalid_credentials at once on a wrong key', async () => {
    const wrong = { ...ONE_LIST, apiKey: 'ffffffffffffffffffffffffffffffff-us21' };
    await expect(read(wrong)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(server.asked).toHaveLength(1);
  });

  it('fails with invalid_credentials in a data center that is not the account’s', async () => {
    server.failNext(MEMBERS, {
      reply: problem(403, 'Wrong Datacenter', 'The API key is of another data center.'),
    });
    await expect(read()).rejects.toMatchObject({ code: 'invalid_credentials' });
  });

  it('goes on after 500, a cut answer, and one that is no JSON', async () => {
    server.audiences.set('a36b032126', people(1_500));
    server.failNext(
      MEMBERS,
      { reply: problem(500, 'Internal Server Error', 'An unexpected internal error.') },
      { isCut: true },
      { text: '<html>busy</html>' },
    );
    expect((await read()).records).toHaveLength(1_500);
  });

  it('waits for 429, which names no time', async () => {
    server.audiences.set('a36b032126', people(3));
    const tooMany = problem(
      429,
      'Too Many Requests',
      'You have exceeded the limit of 10 simultaneous connections.',
    );
    server.failNext(MEMBERS, { reply: tooMany }, { reply: tooMany });
    expect((await read()).records).toHaveLength(3);
    expect(calls.waits).toEqual([null, null]);
  });

  it('asks nothing of a data center that cannot be one', async () => {
    const elsewhere = { ...ONE_LIST, extra: { data_center: 'evil.example/' } };
    await expect(read(elsewhere)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(server.asked).toHaveLength(0);
  });
});

describe('the table of fields', () => {
  const location = {
    latitude: 40.7,
    longitude: -74,
    gmtoff: -5,
    dstoff: -4,
    country_code: 'US',
    region: 'ny',
  };
  const VALUES: Readonly<Record<string, readonly [attributes: Record<string, unknown>, value: string]>> = {
    email_address: [{ email_address: 'urist@example.com' }, 'urist@example.com'],
    FNAME: [{ merge_fields: { FNAME: 'Urist' } }, 'Urist'],
    LNAME: [{ merge_fields: { LNAME: 'McVankab' } }, 'McVankab'],
    PHONE: [{ merge_fields: { PHONE: '555-0100' } }, '555-0100'],
    language: [{ language: 'pt_PT' }, 'pt-PT'],
    'location.timezone': [{ location: { ...location, timezone: 'America/New_York' } }, 'America/New_York'],
  };

  test.each(Object.keys(mailchimp.fields))('%s', async (field) => {
    const [attributes, value] = VALUES[field] ?? [{}, 'no value'];
    expect((await only(attributes)).fields[field]).toBe(value);
  });

  it('goes by the address alone', async () => {
    await expect(only({})).resolves.toMatchObject({ externalId: null });
  });

  it('brings everything else under its own name, and leaves out what says nothing', async () => {
    const address = {
      addr1: '675 Ponce de Leon Ave NE',
      city: 'Atlanta',
      state: 'GA',
      zip: '30308',
      country: 'US',
    };
    const { fields } = await only({
      status: 'unsubscribed',
      unsubscribe_reason: 'N/A (Unsubscribed by admin)',
      vip: true,
      merge_fields: { FNAME: '', ADDRESS: address, USERID: 100, vip: 'gold' },
      location: { ...location, timezone: 'America/New_York' },
      tags: [{ id: 1, name: 'Influencer' }, { id: 2, name: 'Spring' }, { id: 3 }, 7],
      tags_count: 2,
      interests: { '9143cf3bd1': true },
    });
    expect(fields).toMatchObject({
      status: 'unsubscribed',
      unsubscribe_reason: 'N/A (Unsubscribed by admin)',
      vip: true,
      ADDRESS: address,
      USERID: 100,
      'merge_fields.vip': 'gold',
      location: { country_code: 'US', latitude: 40.7 },
      tags: ['Influencer', 'Spring'],
      interests: { '9143cf3bd1': true },
      ip_opt: '186.6.243.135',
    });
    for (const left of ['FNAME', 'full_name', 'stats', '_links', 'id', 'web_id', 'tags_count', 'language'])
      expect(fields).not.toHaveProperty(left);
  });

  it('knows no place where Mailchimp knows none', async () => {
    expect((await only({})).fields).not.toHaveProperty('location');
  });
});

describe('opt-outs', () => {
  const CASES: readonly (readonly [string, OptOutReason | null])[] = [
    ['subscribed', null],
    ['unsubscribed', 'unsubscribed'],
    ['cleaned', 'bounced'],
    ['pending', 'unsubscribed'],
    ['transactional', 'unsubscribed'],
    ['archived', 'unsubscribed'],
  ];

  test.each(CASES)('%s', async (status, optOut) => {
    await expect(only({ status })).resolves.toMatchObject({ optOut });
  });
});

describe('things', () => {
  it('names what there is, and leaves out what may not be read', async () => {
    server.audiences.set('a36b032126', people(3));
    server.segments = [
      { name: 'Freddies', type: 'saved' },
      { name: 'Influencer', type: 'static' },
    ];
    server.templates = [
      { name: 'Monthly', type: 'user' },
      { name: '1 Column', type: 'base' },
    ];
    server.campaigns = [
      { settings: { title: '', subject_line: 'Hello' }, status: 'sent' },
      { settings: { title: 'Sale' } },
    ];
    server.automations = undefined;
    await expect(mailchimp.assets(CREDENTIALS, calls)).resolves.toEqual([
      { kind: 'list', name: 'Audience a36b032126', detail: null },
      { kind: 'segment', name: 'Freddies', detail: null },
      { kind: 'tag', name: 'Influencer', detail: null },
      { kind: 'template', name: 'Monthly', detail: null },
      { kind: 'campaign', name: 'Hello', detail: 'sent' },
      { kind: 'campaign', name: 'Sale', detail: null },
    ]);
  });

  it('names a thousand at most', async () => {
    for (let list = 0; list < 200; list++) server.audiences.set(`list${list}`, []);
    const named = Array.from({ length: 300 }, (_, index) => ({ name: `Segment ${index}`, type: 'saved' }));
    Object.assign(server, { segments: named, templates: named, campaigns: named, automations: named });
    expect((await mailchimp.assets(CREDENTIALS, calls)).length).toBeLessThanOrEqual(1_000);
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
      'a key without a data center',
      { ...CREDENTIALS, apiKey: '0123456789abcdef' },
      'credentials.extra.data_center is required if the key does not end in a dash and a data center',
    ],
    [
      'a data center that names a host',
      { ...CREDENTIALS, extra: { data_center: 'us21.example#' } },
      'credentials.extra.data_center can only contain letters and digits, such as us21; if omitted, it is taken from the end of the key',
    ],
    [
      'an audience that names a path',
      { ...CREDENTIALS, extra: { list_id: '../campaigns' } },
      'credentials.extra.list_id can only contain letters and digits',
    ],
    ['a key with its data center', CREDENTIALS, null],
    ['a data center beside the key', { ...CREDENTIALS, apiKey: 'abc', extra: { data_center: 'us21' } }, null],
  ])('%s', (_name, credentials, expected) => {
    expect(inOneLine(mailchimp.problemOf(credentials))).toBe(expected);
  });
});
