/** OneSignal's source against a server that implements OneSignal's API. */
import { gzipSync } from 'node:zlib';
import type { SourceContact } from '../../src/modules/imports/domain/source-record.js';
import type { Credentials } from '../../src/modules/imports/domain/platform.js';
import { onesignal } from '../../src/modules/imports/domain/platforms/onesignal.js';
import {
  emailOf,
  ONESIGNAL_APP,
  ONESIGNAL_KEY,
  OnesignalServer,
  type Subscription,
} from './platforms/onesignal-server.js';
import { killedAfterEachPage } from './support/killed-after-each-page.js';
import { PlainCalls } from './support/plain-calls.js';
import { contactsOf, readSource } from './support/read-source.js';
import { inOneLine } from './support/credential-problems.js';

const CREDENTIALS: Credentials = { appId: ONESIGNAL_APP, apiKey: ONESIGNAL_KEY, extra: {} };

let server: OnesignalServer;
let calls: PlainCalls;

beforeEach(async () => {
  server = await new OnesignalServer().start();
  calls = new PlainCalls(server.url);
});
afterEach(() => server.stop());

const emails = (count: number): Subscription[] =>
  Array.from({ length: count }, (_, index) => emailOf(index + 1));

const read = () => readSource(onesignal, CREDENTIALS, calls);

async function only(fields: Subscription): Promise<SourceContact> {
  server.subscriptions = [emailOf(1, fields)];
  const [contact] = contactsOf((await read()).records);
  if (!contact) throw new Error('There is no contact.');
  return contact;
}

describe('an export', () => {
  it('brings every subscription, looked at until it is ready', async () => {
    server.subscriptions = emails(5_000);
    server.looksUntilReady = 2;
    const { records, pages } = await read();
    expect(contactsOf(records).map(({ externalId, row }) => [externalId, row])).toEqual(
      server.subscriptions.map(({ external_user_id: id }, index) => [id, index + 1]),
    );
    expect(pages.flatMap(({ retryAfterMs: retryAfterMs }) => retryAfterMs ?? [])).toEqual([1_000, 1_500]);
    expect(pages.at(-1)).toMatchObject({ next: null, share: 1 });
  });

  it('hears who refuses by a row that cannot be stored', async () => {
    server.subscriptions = [emailOf(1, { notification_types: '-2', tags: 'a\0b' }), emailOf(2)];
    const [first, second] = server.subscriptions.map(({ external_user_id: id }) => id);
    expect((await read()).records).toMatchObject([
      {
        kind: 'unreadable',
        row: 1,
        externalId: first,
        code: 'invalid_row',
        readablePart: { optOut: 'unsubscribed' },
      },
      { kind: 'contact', row: 2, externalId: second, optOut: null },
    ]);
  });

  it('asks for external ids', async () => {
    await read();
    expect(server.asked[0]?.body).toMatchObject({
      extra_fields: expect.arrayContaining(['external_user_id', 'timezone_id', 'notification_types']),
    });
  });

  it('reads what was downloaded once, however many pages there are', async () => {
    const noise = Array.from({ length: 12_000 }, (_, index) =>
      emailOf(index, { tags: `{"noise":"${Math.sin(index)}${Math.cos(index)}"}` }),
    );
    server.subscriptions = noise;
    calls.pieceBytes = 16_384;
    await read();
    const [file] = [...calls.files.values()];
    expect(calls.bytesRead).toBeLessThan(1.5 * (file?.length ?? 0));
  });

  it.each([
    ['where a kill left it', true],
    ['with the same file, where it is gone', false],
  ])('goes on %s', async (_where, keepsFiles) => {
    server.subscriptions = emails(5_000).map((one, index) => ({ ...one, tags: `{"n":"a, ""${index}"""}` }));
    const { source } = killedAfterEachPage(onesignal, server.url, keepsFiles);
    const { records } = await readSource(source, CREDENTIALS, calls);
    expect(contactsOf(records).map(({ externalId }) => externalId)).toEqual(
      server.subscriptions.map(({ external_user_id: id }) => id),
    );
    expect(server.begun).toBe(1);
  });

  it('has no end where the turn has one, between two pages or within one', async () => {
    server.subscriptions = emails(5_000);
    const ending = new Error('The turn is over.');
    await expect(
      readSource(onesignal, CREDENTIALS, calls, ({ records }) => {
        if (records.length > 0) calls.turn.abort(ending);
      }),
    ).rejects.toBe(ending);

    const other = new PlainCalls(server.url);
    other.pieceBytes = 1_024;
    const whole = other.read.bind(other);
    other.read = async function* (fileId, offset) {
      let pieces = 0;
      for await (const piece of whole(fileId, offset)) {
        if (++pieces === 3) other.turn.abort(ending);
        yield piece;
      }
    };
    await expect(readSource(onesignal, CREDENTIALS, other)).rejects.toBe(ending);
  });

  it('is begun again where its address has expired', async () => {
    server.subscriptions = emails(5_000);
    const { source } = killedAfterEachPage(onesignal, server.url, false);
    const { records } = await readSource(source, CREDENTIALS, calls, ({ records: some }) => {
      if (some.length > 0) server.expiredUpTo = 1;
    });
    expect(new Set(contactsOf(records).map(({ externalId }) => externalId)).size).toBe(5_000);
    expect(server.begun).toBe(2);
  });

  it('waits for another export of the account', async () => {
    server.subscriptions = emails(1);
    server.busy = 2;
    const { records, pages } = await read();
    expect(records).toHaveLength(1);
    expect(pages.slice(0, 2).map(({ retryAfterMs: retryAfterMs }) => retryAfterMs)).toEqual([60_000, 60_000]);
  });

  it('may be of nobody', async () => {
    expect((await read()).records).toEqual([]);
  });

  it.each([
    ['is cut off', () => gzipSync(`id\n${Math.PI}`).subarray(0, 20)],
    ['is empty', () => Buffer.alloc(0)],
    ['is empty when it is unfolded', () => gzipSync('')],
    ['is a page', () => Buffer.from('<!DOCTYPE html>\n<html><body>One moment, please.</body></html>\n')],
    ['has other columns', () => gzipSync('id,identifier,tags\n1,person-1@example.com,{}\n')],
    ['unfolds to what no export can', () => gzipSync(Buffer.alloc(200_000_000))],
  ])('fails with file_unreadable where it %s', async (_how, file) => {
    server.file = file();
    await expect(read()).rejects.toMatchObject({ code: 'file_unreadable' });
  });
});

describe('rows of one external id', () => {
  const device = (fields: Subscription = {}): Subscription =>
    emailOf(1, {
      device_type: '1',
      identifier: 'APA91bHbYHk7aq-Uam_2pyJ2qbZvqllyyh2wjfPRaw5gLEX2SUlQBRvOc6sck1sa7H7nGeLNlDco8lXj83HWWwzV',
      device_model: 'Pixel XL',
      invalid_identifier: 't',
      notification_types: '-2',
      ...fields,
    });
  const sms: Subscription = emailOf(1, {
    device_type: '14',
    identifier: '+14155552671',
    notification_types: '-2',
  });

  it('say each what it knows, and nothing against another', async () => {
    server.subscriptions = [device(), emailOf(1), sms, ...emails(3).slice(1), device()];
    const contacts = contactsOf((await read()).records).filter(({ externalId }) => externalId === 'user-1');
    expect(contacts).toHaveLength(4);
    expect(contacts.every(({ optOut }) => optOut === null)).toBe(true);
    expect(contacts.map(({ fields }) => [fields.email, fields.phone])).toEqual([
      [undefined, undefined],
      ['person-1@example.com', undefined],
      [undefined, '+14155552671'],
      [undefined, undefined],
    ]);
    for (const { fields } of contacts)
      for (const name of ['identifier', 'invalid_identifier', 'notification_types', 'device_type'])
        expect(fields).not.toHaveProperty(name);
  });

  it('are none for the devices of somebody who is not known', async () => {
    server.subscriptions = [device({ external_user_id: '' }), emailOf(2)];
    const { records } = await read();
    expect(records).toMatchObject([{ row: 1, externalId: 'user-2' }]);
  });
});

describe('failures of the platform', () => {
  it('fails with invalid_credentials at once on a wrong key, which is a 403', async () => {
    const wrong = { ...CREDENTIALS, apiKey: 'wrong' };
    await expect(readSource(onesignal, wrong, calls)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(server.asked).toHaveLength(1);
  });

  it('fails with source_not_found where there is no such app', async () => {
    const other = { ...CREDENTIALS, appId: 'other' };
    await expect(readSource(onesignal, other, calls)).rejects.toMatchObject({ code: 'source_not_found' });
  });

  it('goes on after 500, a cut answer, one that is no JSON, and a cut download', async () => {
    server.subscriptions = emails(3);
    server.failNext(/players/, { reply: { status: 500, body: {} } }, { isCut: true }, { text: '<html>' });
    server.failNext(/csv_exports/, { isCut: true });
    expect((await read()).records).toHaveLength(3);
  });

  it('waits for 429', async () => {
    server.subscriptions = emails(3);
    server.failNext(
      /players/,
      { reply: { status: 429, body: {}, headers: { 'retry-after': '5' } } },
      { reply: { status: 429, body: {} } },
    );
    expect((await read()).records).toHaveLength(3);
    expect(calls.waits).toEqual([5, null]);
  });

  it('fails with platform_unavailable where the answer names no file', async () => {
    server.failNext(/players/, { text: '{"success":true}' });
    await expect(read()).rejects.toMatchObject({ code: 'platform_unavailable' });
  });
});

describe('the table of fields', () => {
  const TAGS = {
    first_name: 'Zoë',
    last_name: 'Washburne',
    plan: 'gold',
    email: 'other@example.com',
    language: 'xx',
  };
  const VALUES: Readonly<Record<string, string>> = {
    external_user_id: 'user-1',
    email: 'person-1@example.com',
    first_name: 'Zoë',
    last_name: 'Washburne',
    language: 'pt-BR',
    timezone_id: 'America/Los_Angeles',
  };

  test.each(Object.keys(VALUES))('%s', async (field) => {
    const { fields } = await only({ tags: JSON.stringify(TAGS), language: 'pt_BR' });
    expect(fields[field]).toBe(VALUES[field]);
  });

  it('phone', async () => {
    const { fields } = await only({ device_type: '14', identifier: '+14155552671' });
    expect(fields.phone).toBe('+14155552671');
  });

  it('brings tags and columns under their own names', async () => {
    const { fields } = await only({ tags: JSON.stringify(TAGS) });
    expect(fields).toMatchObject({
      plan: 'gold',
      country: 'US',
      session_count: '1',
      'tags.email': 'other@example.com',
      'tags.language': 'xx',
    });
    for (const name of ['tags', 'id', 'timezone', 'identifier']) expect(fields).not.toHaveProperty(name);
  });

  test.each(['', 'no JSON', '[1]', '7'])('tags that are %j are none', async (tags) => {
    await expect(only({ tags })).resolves.toMatchObject({ externalId: 'user-1' });
  });

  it('goes by the external id, else by nothing of OneSignal’s', async () => {
    await expect(only({ external_user_id: '' })).resolves.toMatchObject({
      externalId: null,
      fields: { email: 'person-1@example.com' },
    });
  });
});

describe('opt-outs', () => {
  test.each([
    [{ invalid_identifier: 't' }, 'unsubscribed'],
    [{ invalid_identifier: 'true' }, 'unsubscribed'],
    [{ notification_types: '-2' }, 'unsubscribed'],
    [{ invalid_identifier: 'f', notification_types: '1' }, null],
    [{ invalid_identifier: '', notification_types: '' }, null],
    [{ invalid_identifier: 't', device_type: '14' }, null],
  ])('%j', async (fields, optOut) => {
    await expect(only(fields as Subscription)).resolves.toMatchObject({ optOut });
  });
});

describe('things', () => {
  it('names segments, templates and messages, a thousand at most', async () => {
    server.things = {
      segments: [{ id: 's', name: 'Active' }],
      templates: Array.from({ length: 1_200 }, (_, index) => ({
        name: `Template ${index}`,
        channel: 'email',
      })),
    };
    const things = await onesignal.assets(CREDENTIALS, calls);
    expect(things.length).toBe(301);
    expect(things.slice(0, 2)).toEqual([
      { kind: 'segment', name: 'Active', detail: null },
      { kind: 'template', name: 'Template 0', detail: 'email' },
    ]);
  });
});

describe('credentials', () => {
  test.each([
    [
      'no app',
      { ...CREDENTIALS, appId: null },
      'credentials.appId can only contain letters, digits, hyphens and underscores',
    ],
    [
      'an app that is none',
      { ...CREDENTIALS, appId: '../..' },
      'credentials.appId can only contain letters, digits, hyphens and underscores',
    ],
    [
      'no key',
      { ...CREDENTIALS, apiKey: null },
      'credentials.apiKey must be 1 to 512 visible ASCII characters',
    ],
    ['both', CREDENTIALS, null],
  ])('%s', (_name, credentials, expected) => {
    expect(inOneLine(onesignal.problemOf(credentials))).toBe(expected);
  });
});
