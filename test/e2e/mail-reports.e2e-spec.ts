/** Bounces and complaints by mail, through the pipe of a mail server: RFC 3464 and RFC 5965. */
import { Readable } from 'node:stream';
import pg from 'pg';
import { runCommand } from '../../src/processes/cli/commands.js';
import { firstBytes } from '../../src/processes/cli/first-bytes.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';
import { UNWATCHED } from '../support/cli-world.js';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp({ env: { RETURN_PATH_DOMAIN: 'bounces.acme.test' } });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  workspace = await app.workspace();
  const template = { name: 'Hello', slug: 'hello', subject: 'Hello', body_html: '<p>Hello</p>' };
  expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
  const { body } = await workspace.call('POST', '/v1/flows', {
    name: 'Hello',
    trigger_event: 'came',
    content_type: 'promotional',
    steps: [{ type: 'send_email', template_slug: 'hello' }],
  });
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

/** Sends a message; gives it as the server took it. */
async function sent(name: string): Promise<{ readonly raw: string; readonly token: string }> {
  const event = { external_id: name, event_name: 'came', contact: { email: `${name}@x.test` } };
  expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
  await until('the message is there', () => app.sink.to(`${name}@x.test`).length === 1);
  const raw = app.sink.to(`${name}@x.test`)[0]?.raw ?? '';
  await until('it is stored as sent', async () => {
    const { rows } = await admin.query(`SELECT 1 FROM email_logs WHERE to_email = $1 AND status = 'sent'`, [
      `${name}@x.test`,
    ]);
    return rows.length === 1;
  });
  return { raw, token: /^X-Waypost-Feedback: (\S+)\r?$/m.exec(raw)?.[1] ?? '' };
}

function report(type: string, about: string, returned: string, to = 'postmaster@acme.test'): Buffer {
  return Buffer.from(
    [
      'From: MAILER-DAEMON@mx.x.test',
      `To: ${to}`,
      'Subject: Returned',
      'MIME-Version: 1.0',
      `Content-Type: multipart/report; report-type=${type}; boundary="=_r"`,
      '',
      '--=_r',
      'Content-Type: text/plain',
      '',
      'Sorry.',
      '--=_r',
      `Content-Type: message/${type}`,
      '',
      about,
      '--=_r',
      'Content-Type: message/rfc822',
      '',
      returned,
      '--=_r--',
      '',
    ].join('\r\n'),
  );
}
const FAILED =
  'Reporting-MTA: dns; mx.x.test\r\n\r\nFinal-Recipient: rfc822; a@x.test\r\nAction: failed\r\nStatus: 5.1.1\r\n';
const ABUSE = 'Feedback-Type: abuse\r\nUser-Agent: Some/1\r\nVersion: 1\r\n';

async function receive(raw: Buffer): Promise<any> {
  return runCommand(['bounce:receive'], {
    config: app.config,
    now: () => new Date(),
    readText: () => Promise.reject(new Error('No file is read.')),
    ...UNWATCHED,
    readInput: (most) => firstBytes(Readable.from([raw.subarray(0, 100), raw.subarray(100)]), most),
    migrate: () => Promise.resolve([]),
    withServices: (work) => work(app.app),
  });
}

const reasonOf = async (name: string): Promise<string | undefined> => {
  const { rows } = await admin.query<{ reason: string }>(
    'SELECT reason FROM suppressions WHERE address = $1',
    [`${name}@x.test`],
  );
  return rows[0]?.reason;
};

test('a bounce that returns our message suppresses, once however often it is handed over', async () => {
  const { raw } = await sent('ada');
  expect(await receive(report('delivery-status', FAILED, raw))).toMatchObject({
    result: 'taken',
    type: 'dsn.failed',
  });
  expect(await receive(report('delivery-status', FAILED, raw))).toMatchObject({ result: 'known' });
  await until('it is suppressed', async () => (await reasonOf('ada')) === 'hard_bounce');
});

test('a bounce to the return path needs nothing of the message', async () => {
  const { token } = await sent('bob');
  const to = `<B-${token.toUpperCase()}@bounces.acme.test>`;
  expect(app.sink.to('bob@x.test')[0]).toMatchObject({ from: `b-${token}@bounces.acme.test` });
  expect(await receive(report('delivery-status', FAILED, 'Subject: Hello', to))).toMatchObject({
    result: 'taken',
  });
  await until('it is suppressed', async () => (await reasonOf('bob')) === 'hard_bounce');
});

test('a complaint by mail', async () => {
  const { raw } = await sent('cy');
  expect(await receive(report('feedback-report', ABUSE, raw))).toMatchObject({
    result: 'taken',
    type: 'arf.abuse',
  });
  await until('it is suppressed', async () => (await reasonOf('cy')) === 'complaint');
});

test('what bears no token of ours does nothing, whatever it says', async () => {
  const { raw, token } = await sent('dora');
  const without = raw.replace(/^X-Waypost-Feedback: .*\r?\n/m, '');
  const wrong = token.replace(/.$/, (digit) => (digit === 'a' ? 'b' : 'a'));
  const forged = [
    report('delivery-status', FAILED, without),
    report('delivery-status', FAILED, raw.replace(token, wrong)),
    report('feedback-report', ABUSE, raw.replace(token, `${token}a`)),
    report('delivery-status', FAILED, without, `b-${wrong}@bounces.acme.test`),
  ];
  for (const mail of forged)
    expect(await receive(mail)).toMatchObject({ result: 'forged', email_log_id: null });
  for (const mail of [
    Buffer.alloc(0),
    Buffer.from(raw),
    Buffer.from([0xff, 0, 0xfe]),
    Buffer.from(`${'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(2_000)}`),
    Buffer.alloc(2 * 1024 * 1024, 'X: y\r\n'),
  ])
    expect(await receive(mail)).toMatchObject({ result: 'no_report' });
  const { rows } = await admin.query(
    'SELECT 1 FROM feedback f JOIN email_logs l ON l.id = f.email_log_id WHERE l.to_email = $1',
    ['dora@x.test'],
  );
  expect([rows.length, await reasonOf('dora')]).toEqual([0, undefined]);
});
