/** Klaviyo's source against a server that implements Klaviyo's API. */
import type { SourceContact, OptOutReason } from '../../src/modules/imports/domain/source-record.js';
import { mappingOf } from '../../src/modules/imports/domain/mapping.js';
import { readBatch } from '../../src/modules/imports/domain/read-batch.js';
import type { Credentials } from '../../src/modules/imports/domain/platform.js';
import { klaviyo } from '../../src/modules/imports/domain/platforms/klaviyo.js';
import {
  failure,
  KLAVIYO_KEY,
  klaviyoProfile,
  KlaviyoServer,
  klaviyoSubscriptions,
  throttled,
} from './platforms/klaviyo-server.js';
import { PlainCalls } from './support/plain-calls.js';
import { contactsOf, readSource } from './support/read-source.js';
import { inOneLine } from './support/credential-problems.js';

const CREDENTIALS: Credentials = { appId: null, apiKey: KLAVIYO_KEY, extra: {} };

let server: KlaviyoServer;
let calls: PlainCalls;

beforeEach(async () => {
  server = await new KlaviyoServer().start();
  calls = new PlainCalls(server.url);
});
afterEach(() => server.stop());

const people = (count: number, from = 1): object[] =>
  Array.from({ length: count }, (_, index) => klaviyoProfile(from + index));

const read = () => readSource(klaviyo, CREDENTIALS, calls);

async function only(attributes: Record<string, unknown>): Promise<SourceContact> {
  server.profiles = [klaviyoProfile(1, attributes)];
  const [contact] = contactsOf((await read()).records);
  if (!contact) throw new Error('There is no contact.');
  return contact;
}

describe('pages', () => {
  it('reads all profiles, a hundred at a time, numbered from 1', async () => {
    server.profiles = people(250);
    const { records, pages } = await read();
    expect(pages.map((page) => page.records.length)).toEqual([100, 100, 50]);
    expect(contactsOf(records).map(({ row }) => row)).toEqual(Array.from({ length: 250 }, (_, i) => i + 1));
    expect(new Set(contactsOf(records).map(({ fields }) => fields.email)).size).toBe(250);
    expect(server.asked.map(({ query }) => query.get('page[size]'))).toEqual(['100', '100', '100']);
  });

  it('tells how far it has come', async () => {
    server.profiles = people(250);
    const { pages } = await read();
    const shares = pages.map(({ share }) => share ?? -1);
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });

  it('reads an empty account', async () => {
    await expect(read()).resolves.toMatchObject({ records: [], pages: [{ next: null }] });
  });

  it('asks the base URL alone, whatever host a link names', async () => {
    server.linkHost = 'https://elsewhere.example';
    server.profiles = people(101);
    expect((await read()).records).toHaveLength(101);
  });

  it('goes on where the last profile was made when its cursor has expired', async () => {
    server.profiles = people(250);
    const first = await klaviyo.page(CREDENTIALS, null, calls);
    server.hasForgotten = true;
    const second = await klaviyo.page(CREDENTIALS, first.next, calls);
    expect(second.records[0]).toMatchObject({ row: 101, fields: { email: 'person-100@example.com' } });
    expect(second.records).toHaveLength(100);
  });

  it('loses nobody who is there all the time while others join', async () => {
    server.profiles = people(150);
    const { records } = await readSource(klaviyo, CREDENTIALS, calls, (_page, number) => {
      if (number === 1) server.profiles = [...server.profiles, ...people(60, 151)];
    });
    expect(new Set(contactsOf(records).map(({ fields }) => fields.email)).size).toBe(210);
  });

  test.each([
    ['no object', '[]'],
    ['no list', '{"links":{}}'],
    ['a list that is none', '{"data":{"0":1}}'],
    ['a next page that is no URL', '{"data":[],"links":{"next":"http://"}}'],
    ['a next page without a cursor', '{"data":[],"links":{"next":"https://a.klaviyo.com/api/profiles"}}'],
  ])('fails with platform_unavailable on %s', async (_name, text) => {
    server.failNext(/profiles/, { text });
    await expect(read()).rejects.toMatchObject({ code: 'platform_unavailable' });
  });

  it('fails on a page that leads back to itself', async () => {
    const text = '{"data":[],"links":{"next":"https://a.klaviyo.com/api/profiles?page%5Bcursor%5D=A"}}';
    server.failNext(/profiles/, { text }, { text });
    await expect(read()).rejects.toMatchObject({ code: 'platform_unavailable' });
  });

  it('fails on pages that are empty again and again', async () => {
    const pages = Array.from({ length: 60 }, (_, index) => ({
      text: `{"data":[],"links":{"next":"https://a.klaviyo.com/api/profiles?page%5Bcursor%5D=${index}"}}`,
    }));
    server.failNext(/profiles/, ...pages);
    await expect(read()).rejects.toMatchObject({ code: 'platform_unavailable' });
    expect(server.asked.length).toBeLessThanOrEqual(50);
  });

  it('asks for fewer profiles where a page would be too large', async () => {
    const large = 'x'.repeat(120_000);
    server.profiles = Array.from({ length: 80 }, (_, i) => klaviyoProfile(i + 1, { properties: { large } }));
    server.profiles.push(...people(80, 81));
    const { records } = await read();
    expect(contactsOf(records).map(({ row }) => row)).toEqual(Array.from({ length: 160 }, (_, i) => i + 1));
    expect(new Set(contactsOf(records).map(({ fields }) => fields.email)).size).toBe(160);
    expect(server.asked[1]?.query.get('page[size]')).toBe('25');
  });

  it('fails where one cursor after the other is not known any more', async () => {
    server.profiles = people(400);
    server.hasForgotten = true;
    await expect(read()).rejects.toMatchObject({ code: 'platform_unavailable' });
    expect(server.asked.length).toBeLessThan(20);
  });

  it('takes records that cannot be read for themselves', async () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const profiles = [
      klaviyoProfile(1),
      null,
      'profile',
      { type: 'profile', id: 'P4' },
      { id: 'P5', attributes: [1] },
      { attributes: { email: 7, properties: 'none', location: 3, subscriptions: [], created: {} } },
      klaviyoProfile(7, { properties: { deep: 'DEEP', poison: 1 } }),
    ];
    const text = JSON.stringify({ data: profiles })
      .replace('"DEEP"', deep)
      .replace('"poison"', '"__proto__"');
    server.failNext(/profiles/, { text });
    const { records } = await read();
    expect(records.map(({ kind }) => kind)).toEqual([
      'contact',
      'unreadable',
      'unreadable',
      'unreadable',
      'unreadable',
      'contact',
      'unreadable',
    ]);
    expect(records[3]).toMatchObject({ row: 4, externalId: 'P4', code: 'invalid_row' });
    expect(records[6]).toMatchObject({ row: 7, code: 'invalid_row' });
  });

  it.each(['1e999', '{"__proto__":1}', `${'['.repeat(200)}${']'.repeat(200)}`])(
    'hears who refuses by a record that cannot be stored, for %s',
    async (flaw) => {
      const refusing = {
        subscriptions: klaviyoSubscriptions({ consent: 'UNSUBSCRIBED' }),
        properties: { n: 'FLAW' },
      };
      const profiles = [
        klaviyoProfile(1, { ...refusing, external_id: 'u1', email: 'a@example.test' }),
        klaviyoProfile(2, { properties: { n: 'FLAW' }, external_id: 'u2' }),
      ];
      const text = JSON.stringify({ data: profiles }).replaceAll('"FLAW"', flaw);
      server.failNext(/profiles/, { text });
      const mapping = mappingOf(klaviyo.fields, { fieldMapping: {}, tags: [] });
      const {
        contacts,
        errors,
        rejectedOptOuts: rejectedOptOuts,
      } = await readBatch((await read()).records, mapping);
      expect(contacts).toEqual([]);
      expect(errors).toMatchObject([
        { row: 1, externalId: 'u1', code: 'invalid_row' },
        { row: 2, externalId: 'u2', code: 'invalid_row' },
      ]);
      expect(rejectedOptOuts).toEqual([
        { externalId: 'u1', email: 'a@example.test', optOut: 'unsubscribed' },
      ]);
    },
  );
});

describe('failures of the platform', () => {
  it('fails with invalid_credentials at once on a wrong key', async () => {
    const wrong = { ...CREDENTIALS, apiKey: 'pk_wrong' };
    await expect(readSource(klaviyo, wrong, calls)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(server.asked).toHaveLength(1);
  });

  it('takes a missing right for wrong credentials', async () => {
    server.failNext(/profiles/, { reply: failure(403, 'permission_denied', 'No permission.') });
    await expect(read()).rejects.toMatchObject({ code: 'invalid_credentials' });
  });

  it('takes a key that is answered with 400 for a wrong one', async () => {
    server.failNext(/profiles/, {
      reply: failure(400, 'not_authenticated', 'Missing or invalid private key.'),
    });
    await expect(read()).rejects.toMatchObject({ code: 'invalid_credentials' });
  });

  it('fails with source_not_found where there is no such API', async () => {
    server.failNext(/profiles/, { reply: failure(404, 'not_found', 'Not found.') });
    await expect(read()).rejects.toMatchObject({ code: 'source_not_found' });
  });

  it('goes on after 500, a cut answer, and one that is no JSON', async () => {
    server.profiles = people(250);
    server.failNext(
      /profiles/,
      { reply: failure(500, 'server_error', 'Internal server error.') },
      { isCut: true },
      { text: '<html>busy</html>' },
    );
    const { records } = await read();
    expect(records).toHaveLength(250);
  });

  it('waits for 429, with Retry-After and without', async () => {
    server.profiles = people(3);
    server.failNext(/profiles/, { reply: throttled(9) }, { reply: throttled() });
    expect((await read()).records).toHaveLength(3);
    expect(calls.waits).toEqual([9, null]);
  });
});

describe('the table of fields', () => {
  const VALUES: Readonly<Record<string, readonly [attributes: Record<string, unknown>, value: string]>> = {
    external_id: [{ external_id: 'shop-77' }, 'shop-77'],
    email: [{ email: 'sarah.mason@example.com' }, 'sarah.mason@example.com'],
    phone_number: [{ phone_number: '+15005550006' }, '+15005550006'],
    first_name: [{ first_name: 'Sarah' }, 'Sarah'],
    last_name: [{ last_name: 'Mason' }, 'Mason'],
    locale: [{ locale: 'en-US' }, 'en-US'],
    'location.timezone': [{ location: { timezone: 'America/New_York' } }, 'America/New_York'],
  };

  test.each(Object.keys(klaviyo.fields))('%s', async (field) => {
    const [attributes, value] = VALUES[field] ?? [{}, 'no value'];
    const contact = await only(attributes);
    expect(contact.fields[field]).toBe(value);
  });

  it('goes by the external id, else by nothing of Klaviyo’s', async () => {
    await expect(only({ external_id: 'shop-77' })).resolves.toMatchObject({ externalId: 'shop-77' });
    await expect(only({ external_id: '' })).resolves.toMatchObject({ externalId: null });
  });

  it('brings everything else under its own name, and leaves out what says nothing', async () => {
    const { fields } = await only({
      organization: 'Example Corporation',
      title: 'Regional Manager',
      location: { city: 'New York', country: 'United States', timezone: 'America/New_York', zip: null },
      properties: {
        plan: 'gold',
        visits: 7,
        sizes: ['M', 'L'],
        pet: { name: 'Ada' },
        email: 'other@example.com',
      },
      subscriptions: klaviyoSubscriptions({ consent: 'SUBSCRIBED' }, { consent: 'UNSUBSCRIBED' }),
    });
    expect(fields).toMatchObject({
      email: 'person-1@example.com',
      organization: 'Example Corporation',
      title: 'Regional Manager',
      location: { city: 'New York', country: 'United States' },
      plan: 'gold',
      visits: 7,
      sizes: ['M', 'L'],
      pet: { name: 'Ada' },
      'properties.email': 'other@example.com',
      email_consent: 'SUBSCRIBED',
      sms_consent: 'UNSUBSCRIBED',
      id: '01GDDKASAP8TKDDA2GR0000001',
    });
    expect(Object.keys(fields)).not.toEqual(expect.arrayContaining(['phone_number']));
    expect(fields).not.toHaveProperty('image');
  });
});

describe('opt-outs', () => {
  const suppressed = (...reasons: string[]): Record<string, unknown> => ({
    can_receive_email_marketing: false,
    suppression: reasons.map((reason) => ({ reason, timestamp: '2023-02-21T20:07:38+00:00' })),
  });
  const CASES: readonly (readonly [string, object, OptOutReason | null])[] = [
    ['subscribed', klaviyoSubscriptions({ consent: 'SUBSCRIBED' }), null],
    ['never subscribed', klaviyoSubscriptions({ consent: 'NEVER_SUBSCRIBED' }), 'unsubscribed'],
    ['unsubscribed', klaviyoSubscriptions({ consent: 'UNSUBSCRIBED' }), 'unsubscribed'],
    [
      'suppressed by hand, though subscribed',
      klaviyoSubscriptions({ consent: 'SUBSCRIBED', ...suppressed('USER_SUPPRESSED') }),
      'unsubscribed',
    ],
    [
      'unsubscribed by a suppression',
      klaviyoSubscriptions({ consent: 'SUBSCRIBED', ...suppressed('UNSUBSCRIBE') }),
      'unsubscribed',
    ],
    ['bounced', klaviyoSubscriptions({ consent: 'SUBSCRIBED', ...suppressed('HARD_BOUNCE') }), 'bounced'],
    ['an invalid address', klaviyoSubscriptions(suppressed('INVALID_EMAIL')), 'bounced'],
    ['complained', klaviyoSubscriptions(suppressed('UNSUBSCRIBE', 'SPAM_COMPLAINT')), 'complained'],
    ['a reason that is new', klaviyoSubscriptions(suppressed('LEFT_EARTH')), 'unsubscribed'],
    ['not to be written to', klaviyoSubscriptions({ can_receive_email_marketing: false }), 'unsubscribed'],
    [
      'suppressed for one list alone',
      klaviyoSubscriptions({ list_suppressions: [{ list_id: 'Y6nRLr', reason: 'USER_SUPPRESSED' }] }),
      null,
    ],
    ['out of SMS alone', klaviyoSubscriptions({ consent: 'SUBSCRIBED' }, { consent: 'UNSUBSCRIBED' }), null],
    [
      'in for SMS alone',
      klaviyoSubscriptions({ consent: 'UNSUBSCRIBED' }, { consent: 'SUBSCRIBED' }),
      'unsubscribed',
    ],
  ];

  test.each(CASES)('%s', async (_name, subscriptions, optOut) => {
    await expect(only({ subscriptions })).resolves.toMatchObject({ optOut });
  });
});

describe('things', () => {
  it('names what there is, page by page, and leaves out what may not be read', async () => {
    server.named = {
      lists: Array.from({ length: 25 }, (_, index) => `List ${index}`),
      segments: ['VIPs'],
      tags: ['spring'],
      flows: ['Welcome'],
      campaigns: ['Sale'],
    };
    const things = await klaviyo.assets(CREDENTIALS, calls);
    expect(things.filter(({ kind }) => kind === 'list')).toHaveLength(25);
    expect(things.filter(({ kind }) => kind !== 'list')).toEqual([
      { kind: 'segment', name: 'VIPs', detail: null },
      { kind: 'tag', name: 'spring', detail: null },
      { kind: 'automation', name: 'Welcome', detail: 'live' },
      { kind: 'campaign', name: 'Sale', detail: null },
    ]);
  });

  it('names a thousand at most', async () => {
    const many = Array.from({ length: 1_200 }, (_, index) => `Thing ${index}`);
    server.named = { lists: many, segments: many, tags: many, flows: many, templates: many, campaigns: many };
    const things = await klaviyo.assets(CREDENTIALS, calls);
    expect(things.length).toBeLessThanOrEqual(1_000);
    expect(new Set(things.map(({ kind }) => kind)).size).toBe(6);
  });
});

describe('credentials', () => {
  test.each([
    [null, 'credentials.apiKey must be 1 to 512 visible ASCII characters'],
    ['', 'credentials.apiKey must be 1 to 512 visible ASCII characters'],
    ['pk_1\r\nhost: elsewhere', 'credentials.apiKey must be 1 to 512 visible ASCII characters'],
    [KLAVIYO_KEY, null],
  ])('%j', (apiKey, problem) => {
    expect(inOneLine(klaviyo.problemOf({ ...CREDENTIALS, apiKey }))).toBe(problem);
  });
});
