/**
 * Bounces and complaints by mail, through the pipe of a mail server: RFC 3464, prose, RFC 5965 and Microsoft's copies.
 */
import { Readable } from 'node:stream';
import pg from 'pg';
import { runCommand } from '../../src/processes/cli/commands.js';
import { firstBytes } from '../../src/processes/cli/read-from.js';
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

/** Sends a message; returns it as the server received it. */
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

/** Waits until the message to the address is recorded as bounced. */
const bounceOf = (name: string, kind: string): Promise<void> =>
  until('its bounce is known', async () => {
    const { rows } = await admin.query('SELECT 1 FROM email_logs WHERE to_email = $1 AND bounce_kind = $2', [
      `${name}@x.test`,
      kind,
    ]);
    return rows.length === 1;
  });

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

const FAILED_WITH = (status: string, diagnostic: string): string =>
  FAILED.replace('5.1.1', `${status}\r\nDiagnostic-Code: ${diagnostic}`);
test.each([
  [
    'dmarc',
    '5.0.0',
    'smtp; 550 5.7.26 Unauthenticated email is not accepted due to the domain policy',
    'authentication',
  ],
  ['quota', '5.0.0', 'smtp; 552 Mailbox storage quota exceeded', 'mailbox_full'],
  ['sender', '5.1.0', 'smtp; 550 5.1.0 <b@mail.example> sender rejected. AUP#In-1310', 'sender'],
  ['listed', '5.0.0', 'smtp; 550 blocked using zen.spamhaus.org', 'block_list'],
])(
  '%s: a server that refuses us and not the address leaves the address',
  async (name, status, words, reason) => {
    const { raw } = await sent(name);
    expect(await receive(report('delivery-status', FAILED_WITH(status, words), raw))).toMatchObject({
      result: 'taken',
      bounce: { kind: 'soft', reason },
    });
    await bounceOf(name, 'soft');
    expect(await reasonOf(name)).toBeUndefined();
  },
);

test('a mailbox that Microsoft does not know is suppressed', async () => {
  const { raw } = await sent('moe');
  const words =
    'smtp;550 5.4.1 Recipient address rejected: Access denied. [EUR01.prod.protection.outlook.com]';
  expect(await receive(report('delivery-status', FAILED_WITH('5.4.1', words), raw))).toMatchObject({
    bounce: { kind: 'hard', reason: 'no_mailbox' },
  });
  await until('it is suppressed', async () => (await reasonOf('moe')) === 'hard_bounce');
});

const mail = (fields: readonly string[], ...lines: readonly string[]): Buffer =>
  Buffer.from([...fields, '', ...lines, ''].join('\r\n'));
const daemon = (to: string): string[] => [
  'Return-Path: <>',
  'From: MAILER-DAEMON@mx.x.test',
  `To: ${to}`,
  'Subject: failure notice',
];
const qmail = (name: string, ...copy: readonly string[]): string[] => [
  'Hi. This is the qmail-send program at mx.x.test.',
  "This is a permanent error; I've given up.",
  '',
  `<${name}@x.test>:`,
  'Sorry, no mailbox here by that name. (#5.1.1)',
  '',
  '--- Below this line is a copy of the message.',
  '',
  ...copy,
];

test('a bounce in prose suppresses where it comes to the return path, and does nothing elsewhere', async () => {
  const { raw, token } = await sent('quinn');
  const elsewhere = mail(daemon('postmaster@acme.test'), ...qmail('quinn', ...raw.split('\r\n')));
  expect(await receive(elsewhere)).toMatchObject({ result: 'forged', type: 'prose.failed' });
  const toUs = mail(daemon(`b-${token}@bounces.acme.test`), ...qmail('quinn', 'Subject: News'));
  expect(await receive(toUs)).toMatchObject({
    result: 'taken',
    type: 'prose.failed',
    bounce: { kind: 'hard', reason: 'no_mailbox' },
  });
  await until('it is suppressed', async () => (await reasonOf('quinn')) === 'hard_bounce');
});

test('prose in HTML, and prose beside a copy, is read, too', async () => {
  const { token } = await sent('rita');
  const fields = [...daemon(`b-${token}@bounces.acme.test`), 'MIME-Version: 1.0'];
  const html =
    '<html><body><p>The following address failed permanently:</p><div>&lt;rita@x.test&gt;:</div><p>550 mailbox is full</p></body></html>';
  expect(await receive(mail([...fields, 'Content-Type: text/html'], html))).toMatchObject({
    type: 'prose.failed',
    bounce: { kind: 'soft', reason: 'mailbox_full' },
  });
  const parts = [
    '--=_m',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('Недоставленное письмо:\n\n<rita@x.test>:\n550 Пользователь не найден').toString('base64'),
    '--=_m',
    'Content-Type: message/rfc822',
    '',
    'Subject: News',
    '--=_m--',
  ];
  const mixed = mail([...fields, 'Content-Type: multipart/mixed; boundary="=_m"'], ...parts);
  expect(await receive(mixed)).toMatchObject({ bounce: { kind: 'hard', reason: 'no_mailbox' } });
  await until('it is suppressed', async () => (await reasonOf('rita')) === 'hard_bounce');
});

test('a copy that Microsoft sends of junk is a complaint', async () => {
  const { raw, token } = await sent('judy');
  const copy = (of: string): Buffer =>
    mail(
      [
        'From: staff@hotmail.com',
        'To: fbl@acme.test',
        'Subject: complaint about message from 192.0.2.9',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary="JJ"',
      ],
      '--JJ',
      'Content-Type: message/rfc822',
      'Content-Disposition: inline',
      '',
      `X-HmXmrOriginalRecipient: judy@x.test\r\n${of}`,
      '--JJ--',
    );
  const without = raw.replace(/^X-Waypost-Feedback: .*\r?\n/m, '').replaceAll(token, 'none');
  expect(await receive(copy(without))).toMatchObject({ result: 'forged', type: 'jmrp.abuse' });
  expect(await receive(copy(raw))).toMatchObject({ result: 'taken', type: 'jmrp.abuse', bounce: null });
  await until('it is suppressed', async () => (await reasonOf('judy')) === 'complaint');
});

test('hostile mail to the return path is read within bounds', async () => {
  const { token } = await sent('hugo');
  const fields = [...daemon(`b-${token}@bounces.acme.test`), 'MIME-Version: 1.0'];
  const most = 2 * 1024 * 1024;
  const types = ['text/plain', 'text/html', 'message/delivery-status', 'multipart/mixed; boundary=x'];
  for (const unit of ['<br', 'a@', '\r\n'])
    for (const type of types) {
      const hostile = mail([...fields, `Content-Type: ${type}`], unit.repeat(most / unit.length));
      const { bounce } = await receive(hostile);
      expect([unit, type, bounce?.kind === 'hard']).toEqual([unit, type, false]);
    }
  const deep = '--x\r\nContent-Type: message/rfc822\r\n\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n';
  await receive(mail([...fields, 'Content-Type: multipart/mixed; boundary=x'], deep.repeat(20_000)));
  expect(await reasonOf('hugo')).toBeUndefined();
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
