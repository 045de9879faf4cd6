/**
 * The complete spam check: our own rules, the message that is sent to a filter, and the result when the filter
 * fails.
 */
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { SpamChecks } from '../../src/modules/inspect/application/spam-checks.js';
import type { CheckOutcome } from '../../src/modules/inspect/domain/runs/check.js';
import { InspectModule } from '../../src/modules/inspect/inspect.module.js';
import { startSending, type SendingApp } from '../delivery/sending-app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';

const HTML = '<p>Hello Ada</p><p>Act now</p><p>See https://acme.test ä</p>';
const PIECES = [{ rendered: 0, source: 100, isText: true }];

let database: TestDatabase;
let app: SendingApp;
let filter: Server;
let asked: string[];
let answer: string;

beforeAll(async () => {
  database = await createTestDatabase();
  filter = createServer((socket) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('end', () => {
      asked.push(text);
      socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => filter.listen(0, '127.0.0.1', resolve));
  const { port } = filter.address() as AddressInfo;
  const spamd = { host: '127.0.0.1', port };
  app = await startSending(database, 'smtp://127.0.0.1:1', undefined, { spamd }, [InspectModule]);
});
afterAll(async () => {
  await app?.close();
  filter?.close();
  await database?.drop();
});
beforeEach(() => {
  asked = [];
  answer = 'SPAMD/1.1 0 EX_OK\r\nContent-length: 0\r\nSpam: True ; 7.2 / 5.0\r\n\r\n';
});

async function check(
  scope: TenantScope,
  provider: 'builtin' | 'spamassassin',
  signal = new AbortController().signal,
): Promise<CheckOutcome> {
  const message = { subject: 'Grüße', html: HTML, text: 'Hello Ada' };
  return app.module.get(SpamChecks).check({ scope, message, pieces: PIECES, provider }, signal);
}
const own = expect.objectContaining({ rule: 'phrase_pressure', at: 100 + HTML.indexOf('Act now') });

test('our own rules ask nobody, and tell where in the stored body', async () => {
  const outcome = await check(await app.workspace(), 'builtin');
  expect(outcome).toMatchObject({ name: 'spam', status: 'done', detail: null });
  expect(outcome.findings).toContainEqual(own);
  expect(asked).toEqual([]);
});

test('a filter is given the message as it would go out', async () => {
  const scope = await app.workspace();
  const outcome = await check(scope, 'spamassassin');
  expect(outcome).toMatchObject({ status: 'done', detail: null });
  expect(outcome.findings).toEqual(
    expect.arrayContaining([own, expect.objectContaining({ rule: 'spamassassin_spam' })]),
  );
  const [request = ''] = asked;
  const [head = '', ...rest] = request.split('\r\n\r\n');
  expect(head).toMatch(/^REPORT SPAMC\/1\.5\r\nContent-length: \d+$/);
  expect(head).toContain(`Content-length: ${request.length - head.length - 4}`);
  const email = await MailSink.parse({ from: '', to: [], raw: rest.join('\r\n\r\n') } as never);
  expect(email).toMatchObject({
    subject: 'Grüße',
    from: { name: 'Acme' },
    replyTo: [{ address: 'help@acme.test' }],
  });
  expect(email.html).toContain('<p>Act now</p>');
  expect([email.html, email.text]).toEqual([
    expect.stringContaining('Unsubscribe or change preferences'),
    expect.stringContaining('Unsubscribe or change preferences'),
  ]);
  const fields = email.headers.map(({ key }) => key);
  for (const name of ['message-id', 'date', 'feedback-id', 'list-unsubscribe', 'list-unsubscribe-post'])
    expect(fields).toContain(name);
  const { rows } = await app.admin.query('SELECT 1 FROM email_logs WHERE workspace_id = $1', [
    scope.workspaceId,
  ]);
  expect(rows).toEqual([]);
});

test('a filter that gives no verdict fails the check, which says why and tells our own findings', async () => {
  answer = 'SPAMD/1.0 75 EX_TEMPFAIL\r\n\r\n';
  const outcome = await check(await app.workspace(), 'spamassassin');
  expect(outcome).toMatchObject({
    name: 'spam',
    status: 'failed',
    detail: expect.stringContaining('EX_TEMPFAIL'),
  });
  expect(outcome.findings).toContainEqual(own);
});

test('a malformed sender fails the check before anybody is asked', async () => {
  const scope = await app.workspace({ sender: { from_email: 'nobody' } });
  const outcome = await check(scope, 'spamassassin');
  expect(outcome).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('the sender address is malformed'),
  });
  expect(asked).toEqual([]);
});

test('a run that is given up is no failed check', async () => {
  const run = AbortSignal.abort(new Error('The process ends.'));
  await expect(check(await app.workspace(), 'spamassassin', run)).rejects.toThrow('The process ends.');
});
