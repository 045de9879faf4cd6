/**
 * Which transport sends a message: the first of the workspace's transports that is reachable, and never two of
 * them.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mailProvidersOf } from '../../src/platform/config/mail-transports.js';
import { HOUR } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';
import { startSending, type SendingApp } from './sending-app.js';

interface Kind {
  readonly contentType: 'transactional' | 'promotional';
  readonly environment: 'live' | 'test';
}

let database: TestDatabase;
let first: MailSink;
let second: MailSink;
let sandbox: MailSink;
let api: Server;
let app: SendingApp;
/** Messages that the HTTP API received, and its answer to them. */
const posted: { readonly key: string; readonly message: string }[] = [];
let status = 200;

beforeAll(async () => {
  database = await createTestDatabase();
  [first, second, sandbox] = [await MailSink.start(), await MailSink.start(), await MailSink.start()];
  api = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { mime_message: message } = JSON.parse(Buffer.concat(chunks).toString()) as {
        mime_message: string;
      };
      posted.push({ key: String(request.headers['idempotency-key']), message });
      response.writeHead(status).end('{}');
    });
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const { port } = api.address() as AddressInfo;
  const mailProviders = mailProvidersOf([
    `backup=${second.url}`,
    `api=http://key@127.0.0.1:${port}/send_raw`,
  ]);
  app = await startSending(database, first.url, sandbox.url, { mailProviders });
});

afterAll(async () => {
  await app.close();
  await Promise.all([first.stop(), second.stop(), sandbox.stop()]);
  api.closeAllConnections();
  api.close();
  await database.drop();
});

beforeEach(() => {
  for (const sink of [first, second, sandbox]) {
    sink.verdict = () => undefined;
    sink.mails.length = 0;
  }
  posted.length = 0;
  status = 200;
  // Resets what earlier tests did to the servers' reputation.
  app.clock.wind(HOUR);
});

async function message(
  settings: object = {},
  { contentType = 'transactional', environment = 'live' }: Partial<Kind> = {},
) {
  const scope = await app.workspace({ settings }, environment);
  const contactId = await app.contact(scope);
  await app.template(scope);
  return { scope, id: await app.enqueue(scope, { contactId, contentType }) };
}

/** Stops the first server during `work` and starts it again afterwards. */
async function without(sink: MailSink, work: () => Promise<void>): Promise<void> {
  const { port } = sink;
  await sink.stop();
  try {
    await work();
  } finally {
    await sink.listen(port);
  }
}

test('the operator’s first takes it, and the log says so', async () => {
  const { scope, id } = await message();
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'sent', transport: 'smtp', attempts: 1 });
  expect([first.mails.length, second.mails.length, posted.length]).toEqual([1, 0, 0]);
});

test('one that cannot be reached gives way to the next in the same turn, and is tried again later', async () => {
  const { scope, id } = await message();
  await without(first, async () => {
    expect(await app.drain(scope)).toBe(false);
    expect(await app.log(id)).toMatchObject({
      status: 'sent',
      transport: 'backup',
      attempts: 2,
      reissues: 0,
    });
    expect(second.mails).toHaveLength(1);
  });
  const contactId = await app.contact(scope);
  const soon = await app.enqueue(scope, { contactId });
  await app.drain(scope);
  expect(await app.log(soon)).toMatchObject({ transport: 'backup' });
  app.clock.wind(HOUR);
  const later = await app.enqueue(scope, { contactId });
  await app.drain(scope);
  expect(await app.log(later)).toMatchObject({ transport: 'smtp' });
});

test('while one message tries whether the first is back, the others take the next', async () => {
  const { scope } = await message();
  await without(first, async () => {
    await app.drain(scope);
    app.clock.wind(HOUR);
    for (let n = 0; n < 40; n++) await app.enqueue(scope, { contactId: await app.contact(scope) });
    await app.drain(scope);
    const logs = await app.logs(scope);
    expect(new Set(logs.map(({ status: one }) => one))).toEqual(new Set(['sent']));
    // Only one of the forty was tried on the first server.
    expect(logs.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(2 + 40 + 1);
  });
});

test('a workspace’s list says which, and in which order; a provider’s API keeps the Message-ID', async () => {
  const { scope, id } = await message({ mail_transports: ['api', 'backup'] });
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'sent', transport: 'api' });
  expect(posted).toMatchObject([{ key: `${id}@mail.localhost` }]);
  expect(posted[0]?.message).toContain(`Message-ID: <${id}@mail.localhost>\r\n`);
  status = 429;
  const next = await app.enqueue(scope, { contactId: await app.contact(scope) });
  await app.drain(scope);
  expect(await app.log(next)).toMatchObject({ status: 'sent', transport: 'backup' });
  expect(first.mails).toHaveLength(0);
});

test('what a provider’s gateway says 503 of may have been taken: nobody else is asked', async () => {
  status = 503;
  const advertisement = await message({ mail_transports: ['api', 'backup'] }, { contentType: 'promotional' });
  await app.drain(advertisement.scope);
  expect(await app.log(advertisement.id)).toMatchObject({ status: 'unknown', transport: 'api' });
  expect([posted.length, second.mails.length]).toEqual([1, 0]);
});

test('a sender whom a provider refuses goes by the next, and others still go by it', async () => {
  status = 403;
  const refused = await message({ mail_transports: ['api', 'backup'] });
  await app.drain(refused.scope);
  expect(await app.log(refused.id)).toMatchObject({ status: 'sent', transport: 'backup' });
  const again = await app.enqueue(refused.scope, { contactId: await app.contact(refused.scope) });
  await app.drain(refused.scope);
  expect(await app.log(again)).toMatchObject({ status: 'sent', transport: 'backup', attempts: 1 });
  status = 200;
  const other = await message({ mail_transports: ['api'] });
  await app.drain(other.scope);
  expect(await app.log(other.id)).toMatchObject({ status: 'sent', transport: 'api' });
  // After an hour the earlier sender tries the API again, too.
  app.clock.wind(HOUR);
  const later = await app.enqueue(refused.scope, { contactId: await app.contact(refused.scope) });
  await app.drain(refused.scope);
  expect(await app.log(later)).toMatchObject({ status: 'sent', transport: 'api' });
});

test('where none of its list can be reached it waits, and takes no other', async () => {
  const { scope, id } = await message({ mail_transports: ['backup'] });
  await without(second, async () => {
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'queued', error_code: 'unreachable' });
    expect(first.mails).toHaveLength(0);
  });
});

test('a refusal of the message, for now or for good, tries nobody else', async () => {
  first.verdict = () => ({ code: 451, text: 'Later' });
  const { scope, id } = await message();
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'queued', error_code: 'temporary', transport: 'smtp' });
  first.verdict = () => ({ code: 550, text: 'No' });
  app.clock.wind(HOUR);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'failed', error_code: 'rejected', transport: 'smtp' });
  expect(second.mails).toHaveLength(0);
});

test.each(['drop', 'accept-and-drop'] as const)(
  'what may have left by one goes by no other: the connection breaks after the content (%s)',
  async (verdict) => {
    first.verdict = () => verdict;
    const advertisement = await message({}, { contentType: 'promotional' });
    await app.drain(advertisement.scope);
    expect(await app.log(advertisement.id)).toMatchObject({ status: 'unknown', transport: 'smtp' });

    const receipt = await message();
    await app.drain(receipt.scope);
    expect(await app.log(receipt.id)).toMatchObject({ status: 'queued', reissues: 1, transport: 'smtp' });
    await without(first, async () => {
      for (let round = 0; round < 2; round++) {
        app.clock.wind(HOUR);
        await app.drain(receipt.scope);
        expect(await app.log(receipt.id)).toMatchObject({ status: 'queued', transport: 'smtp' });
      }
    });
    first.verdict = () => undefined;
    app.clock.wind(HOUR);
    await app.drain(receipt.scope);
    expect(await app.log(receipt.id)).toMatchObject({ status: 'sent', transport: 'smtp' });
    expect([second.mails.length, posted.length]).toEqual([0, 0]);
  },
);

test('an API that fails with the message in hand is asked again under the same key, and nobody else is', async () => {
  status = 500;
  const { scope, id } = await message({ mail_transports: ['api', 'smtp'] });
  await app.drain(scope);
  status = 200;
  app.clock.wind(HOUR);
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'sent', transport: 'api', reissues: 1 });
  expect(posted.map(({ key }) => key)).toEqual([`${id}@mail.localhost`, `${id}@mail.localhost`]);
  expect(first.mails).toHaveLength(0);
});

test('mail of the test environment stays in the sandbox, whatever the list says', async () => {
  const { scope, id } = await message({ mail_transports: ['api', 'backup'] }, { environment: 'test' });
  await app.drain(scope);
  expect(await app.log(id)).toMatchObject({ status: 'sent', transport: 'sandbox' });
  expect(sandbox.mails).toHaveLength(1);
  const away = await message({ mail_transports: ['api'] }, { environment: 'test' });
  await without(sandbox, async () => {
    await app.drain(away.scope);
    expect(await app.log(away.id)).toMatchObject({ status: 'queued' });
  });
  expect([first.mails.length, second.mails.length, posted.length]).toEqual([0, 0, 0]);
});
