/** Intercom's source against a server that implements Intercom's API. */
import type { SourceContact, OptOutReason } from '../../src/modules/imports/domain/source-record.js';
import type { Credentials } from '../../src/modules/imports/domain/platform.js';
import { intercom } from '../../src/modules/imports/domain/platforms/intercom.js';
import {
  errorList,
  INTERCOM_TOKEN,
  intercomContact,
  IntercomServer,
  rateLimited,
  references,
} from './platforms/intercom-server.js';
import { PlainCalls } from './support/plain-calls.js';
import { contactsOf, readSource } from './support/read-source.js';
import { inOneLine } from './support/credential-problems.js';

const CREDENTIALS: Credentials = { appId: null, apiKey: INTERCOM_TOKEN, extra: {} };

let server: IntercomServer;
let calls: PlainCalls;

beforeEach(async () => {
  server = await new IntercomServer().start();
  calls = new PlainCalls(server.url);
});
afterEach(() => server.stop());

const people = (count: number, from = 1): unknown[] =>
  Array.from({ length: count }, (_, index) => intercomContact(from + index));

const read = () => readSource(intercom, CREDENTIALS, calls);

async function only(attributes: Record<string, unknown>): Promise<SourceContact> {
  server.contacts = [intercomContact(1, attributes)];
  const [contact] = contactsOf((await read()).records);
  if (!contact) throw new Error('There is no contact.');
  return contact;
}

describe('pages', () => {
  test.each([false, true])(
    'reads all contacts, 150 at a time, numbered from 1; links: %s',
    async (hasLinks) => {
      server.hasLinks = hasLinks;
      server.contacts = people(400);
      const { records, pages } = await read();
      expect(pages.map((page) => page.records.length)).toEqual([150, 150, 100]);
      expect(pages.map(({ total }) => total)).toEqual([400, 400, 400]);
      expect(contactsOf(records).map(({ row }) => row)).toEqual(Array.from({ length: 400 }, (_, i) => i + 1));
      expect(new Set(contactsOf(records).map(({ fields }) => fields.email)).size).toBe(400);
    },
  );

  it('reads an empty workspace', async () => {
    await expect(read()).resolves.toMatchObject({ records: [], pages: [{ next: null, total: 0 }] });
  });

  it('reads anew where its cursor is not known any more, and loses nobody', async () => {
    server.contacts = people(200);
    const first = await intercom.page(CREDENTIALS, null, calls);
    server.hasForgotten = true;
    const second = await intercom.page(CREDENTIALS, first.next, calls);
    expect(second.records).toHaveLength(150);
    expect(second.records[0]).toMatchObject({ row: 151, fields: { email: 'person-1@example.com' } });
    expect(second.total).toBe(300);
  });

  it('loses nobody who is there all the time while others come and go', async () => {
    server.contacts = people(400);
    const { records } = await readSource(intercom, CREDENTIALS, calls, (_page, number) => {
      if (number === 1)
        server.contacts = [...people(5, 900), ...server.contacts.slice(10), ...people(5, 950)];
    });
    const emails = new Set(contactsOf(records).map(({ fields }) => fields.email));
    for (let number = 11; number <= 400; number++) expect(emails).toContain(`person-${number}@example.com`);
  });

  test.each([
    ['no object', '7'],
    ['no list', '{"type":"list"}'],
    ['a list that is none', '{"data":{}}'],
    ['a cursor that is too long', `{"data":[],"pages":{"next":{"starting_after":"${'a'.repeat(9_000)}"}}}`],
  ])('fails with platform_unavailable on %s', async (_name, text) => {
    server.failNext(/contacts/, { text });
    await expect(read()).rejects.toMatchObject({ code: 'platform_unavailable' });
  });

  it('fails on a page that leads back to itself', async () => {
    const text = '{"data":[],"pages":{"next":{"starting_after":"A"}}}';
    server.failNext(/contacts/, { text }, { text });
    await expect(read()).rejects.toMatchObject({ code: 'platform_unavailable' });
  });

  it('asks for fewer contacts where a page would be too large', async () => {
    const large = 'x'.repeat(120_000);
    server.contacts = people(160).map((contact) => ({
      ...(contact as object),
      custom_attributes: { large },
    }));
    const { records } = await read();
    expect(new Set(contactsOf(records).map(({ fields }) => fields.email)).size).toBe(160);
    expect(records).toHaveLength(160);
    expect(server.asked[1]?.query.get('per_page')).toBe('37');
  });

  it('fails where one cursor after the other is not known any more', async () => {
    server.contacts = people(400);
    server.hasForgotten = true;
    await expect(read()).rejects.toMatchObject({ code: 'platform_unavailable' });
    expect(server.asked.length).toBeLessThan(20);
  });

  it('takes records that cannot be read for themselves', async () => {
    server.contacts = [
      null,
      'contact',
      { email: 5, name: {}, tags: 3, location: [], custom_attributes: 'x' },
    ];
    const { records } = await read();
    expect(records.map(({ kind }) => kind)).toEqual(['unreadable', 'unreadable', 'contact']);
    expect(records[1]).toMatchObject({ row: 2, code: 'invalid_row' });
  });
});

describe('failures of the platform', () => {
  it('fails with invalid_credentials at once on a wrong token', async () => {
    const wrong = { ...CREDENTIALS, apiKey: 'wrong' };
    await expect(readSource(intercom, wrong, calls)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(server.asked).toHaveLength(1);
  });

  it('takes a missing right for wrong credentials', async () => {
    server.failNext(/contacts/, {
      reply: errorList(403, 'api_plan_restricted', 'Active subscription needed.'),
    });
    await expect(read()).rejects.toMatchObject({ code: 'invalid_credentials' });
  });

  it('goes on after 500, a cut answer, and one that is no JSON', async () => {
    server.contacts = people(400);
    server.failNext(
      /contacts/,
      { reply: errorList(500, 'server_error', 'Internal error') },
      { isCut: true },
      { text: '<html>busy</html>' },
    );
    expect((await read()).records).toHaveLength(400);
  });

  it('waits for 429, with X-RateLimit-Reset and without', async () => {
    server.contacts = people(3);
    server.failNext(/contacts/, { reply: rateLimited(1_487_332_520) }, { reply: rateLimited() });
    expect((await read()).records).toHaveLength(3);
    expect(calls.waits).toEqual([1_487_332_520, null]);
  });
});

describe('the table of fields', () => {
  const VALUES: Readonly<Record<string, readonly [attributes: Record<string, unknown>, value: string]>> = {
    external_id: [{ external_id: '25' }, '25'],
    email: [{ email: 'wash@serenity.example' }, 'wash@serenity.example'],
    first_name: [{ name: 'Hoban Washburne' }, 'Hoban'],
    last_name: [{ name: 'Hoban Washburne' }, 'Washburne'],
    phone: [{ phone: '+1123456789' }, '+1123456789'],
    locale: [{ language_override: 'en' }, 'en'],
  };

  test.each(Object.keys(intercom.fields))('%s', async (field) => {
    const [attributes, value] = VALUES[field] ?? [{}, 'no value'];
    expect((await only(attributes)).fields[field]).toBe(value);
  });

  test.each([
    ['Hoban Wash Washburne', 'Hoban', 'Wash Washburne'],
    ['  Zoë   Washburne ', 'Zoë', 'Washburne'],
    ['River', 'River', undefined],
    ['   ', undefined, undefined],
    [null, undefined, undefined],
  ])('a name splits at its first space: %j', async (name, first, last) => {
    const { fields } = await only({ name });
    expect([fields.first_name, fields.last_name]).toEqual([first, last]);
  });

  test.each([
    [{ browser_language: 'pt_br' }, 'pt-br'],
    [{ browser_language: 'en-US', language_override: 'fr' }, 'fr'],
  ])('the language that somebody chose, else the browser’s: %j', async (attributes, locale) => {
    expect((await only(attributes)).fields.locale).toBe(locale);
  });

  it('goes by the external id, else by nothing of Intercom’s', async () => {
    await expect(only({ external_id: '25' })).resolves.toMatchObject({ externalId: '25' });
    await expect(only({ role: 'lead' })).resolves.toMatchObject({ externalId: null });
  });

  it('brings everything else under its own name, and leaves out what says nothing', async () => {
    server.tags = [
      { type: 'tag', id: '102', name: 'VIP' },
      { type: 'tag', id: '103', name: 'Beta' },
    ];
    const { fields } = await only({
      role: 'lead',
      signed_up_at: 1_571_672_154,
      location: { type: 'location', country: 'Ireland', region: null, city: 'Dublin' },
      custom_attributes: {
        plan: 'gold',
        seats: 5,
        is_paying: true,
        email: 'other@example.com',
        trial_ends: null,
      },
      tags: references('tag', ['103', '999']),
      opted_out_subscription_types: references('subscription', ['37846']),
    });
    expect(fields).toMatchObject({
      role: 'lead',
      signed_up_at: 1_571_672_154,
      location: { country: 'Ireland', city: 'Dublin' },
      plan: 'gold',
      seats: 5,
      is_paying: true,
      email: 'person-1@example.com',
      'custom_attributes.email': 'other@example.com',
      tags: ['Beta'],
      opted_out_subscription_types: ['37846'],
      unsubscribed_from_emails: false,
    });
    for (const left of ['trial_ends', 'notes', 'companies', 'avatar', 'workspace_id', 'type', 'os'])
      expect(fields).not.toHaveProperty(left);
  });

  it('comes without tags where the token may not read their names', async () => {
    server.tags = undefined;
    expect((await only({ tags: references('tag', ['103']) })).fields).not.toHaveProperty('tags');
  });

  it('asks for the names of tags only where there are any', async () => {
    await only({});
    expect(server.asked.map(({ path }) => path)).toEqual(['/contacts']);
  });
});

describe('opt-outs', () => {
  const CASES: readonly (readonly [Record<string, unknown>, OptOutReason | null])[] = [
    [{}, null],
    [{ unsubscribed_from_emails: true }, 'unsubscribed'],
    [{ has_hard_bounced: true }, 'bounced'],
    [{ marked_email_as_spam: true }, 'complained'],
    [{ unsubscribed_from_emails: true, has_hard_bounced: true }, 'bounced'],
    [{ unsubscribed_from_emails: true, has_hard_bounced: true, marked_email_as_spam: true }, 'complained'],
    [{ unsubscribed_from_emails: null, has_hard_bounced: null }, null],
  ];

  test.each(CASES)('%j', async (attributes, optOut) => {
    await expect(only(attributes)).resolves.toMatchObject({ optOut });
  });
});

describe('things', () => {
  it('names segments and tags', async () => {
    server.segments = [{ type: 'segment', id: '1', name: 'Active', person_type: 'user' }];
    server.tags = [{ type: 'tag', id: '102', name: 'VIP' }, { type: 'tag' }];
    await expect(intercom.assets(CREDENTIALS, calls)).resolves.toEqual([
      { kind: 'segment', name: 'Active', detail: 'user' },
      { kind: 'tag', name: 'VIP', detail: null },
    ]);
  });

  it('leaves out what may not be read, and names a thousand at most', async () => {
    server.segments = undefined;
    server.tags = Array.from({ length: 1_200 }, (_, index) => ({ id: String(index), name: `Tag ${index}` }));
    const things = await intercom.assets(CREDENTIALS, calls);
    expect(things.length).toBeLessThanOrEqual(1_000);
    expect(things[0]).toEqual({ kind: 'tag', name: 'Tag 0', detail: null });
  });
});

describe('credentials', () => {
  test.each([
    [
      'no token',
      { ...CREDENTIALS, apiKey: null },
      'credentials.apiKey must be 1 to 512 visible ASCII characters',
    ],
    [
      'a region that there is not',
      { ...CREDENTIALS, extra: { region: 'toString' } },
      'credentials.extra.region must be us, eu or au',
    ],
    ['the region of Europe', { ...CREDENTIALS, extra: { region: 'EU' } }, null],
    ['no region', CREDENTIALS, null],
  ])('%s', (_name, credentials, expected) => {
    expect(inOneLine(intercom.problemOf(credentials))).toBe(expected);
  });

  test.each([
    ['', 'https://api.intercom.io'],
    ['us', 'https://api.intercom.io'],
    ['eu', 'https://api.eu.intercom.io'],
    ['au', 'https://api.au.intercom.io'],
  ])('region %j is asked at %s', async (region, home) => {
    const homes: string[] = [];
    calls.baseUrl = (own) => {
      homes.push(own);
      return server.url;
    };
    await intercom.page({ ...CREDENTIALS, extra: { region } }, null, calls);
    expect(homes).toEqual([home]);
  });
});
