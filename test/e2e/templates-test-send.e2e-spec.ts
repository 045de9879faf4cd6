/**
 * Test emails over HTTP and SMTP: every rule of section 4.3, test-send, and what stops a real email of an unfinished
 * template.
 */
import { createServer, type AddressInfo, type Server } from 'node:net';
import pg from 'pg';
import { TestSendService } from '../../src/modules/delivery/application/test-send.service.js';
import type { TestSend } from '../../src/modules/delivery/domain/test-send.js';
import { TestEmailInput, testSendOf } from '../../src/modules/delivery/input/test-send.input.js';
import { readInput } from '../../src/platform/input/read-input.js';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { HOUR } from '../support/clock.js';
import { MailSink, type ReceivedMail } from '../support/mail-sink.js';
import { until } from '../support/until.js';

const readTestSend = (body: unknown): TestSend => testSendOf(readInput(TestEmailInput, body, 'body'));

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});
beforeEach(async () => {
  workspace = await app.workspace();
  app.sink.mails.length = 0;
  app.sink.verdict = () => undefined;
});

const HTML = '<p>Hi {the user\'s First Name, or "there"}</p>';
const GOOD = { to_emails: ['ada@example.com'], body_html: HTML };

const testSend = (more: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  workspace.call('POST', '/v1/templates/test-send', { ...GOOD, ...more }, headers);
const inTest = (): Record<string, string> => ({ 'x-api-key': workspace.testKey });

/** The only mail that has arrived. */
function onlyMail(): ReceivedMail {
  expect(app.sink.mails).toHaveLength(1);
  return app.sink.mails[0]!;
}

/** The unfolded header fields of the only mail, as lines. */
function headerLines(): string[] {
  const [head = ''] = onlyMail().raw.split('\r\n\r\n');
  return head.replace(/\r\n[ \t]/g, ' ').split('\r\n');
}

const allFailed = (reason: string, emails: readonly string[] = ['ada@example.com']) => ({
  sent_count: 0,
  failed: emails,
  results: emails.map((email) => ({ email, outcome: 'failed', reason })),
  all_accepted: false,
});

describe('what arrives', () => {
  test('one message for each recipient, and an outcome for each', async () => {
    const to = ['ada@example.com', 'bob@example.com', 'eve@example.com', 'd@example.com', 'e@example.com'];
    const answer = await testSend({ to_emails: to });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        sent_count: 5,
        failed: [],
        results: to.map((email) => ({ email, outcome: 'sent', reason: null })),
        all_accepted: true,
      },
    ]);
    expect(app.sink.mails.map((mail) => mail.to)).toEqual(expect.arrayContaining(to.map((email) => [email])));
    expect(new Set(app.sink.mails.map(({ messageId }) => messageId)).size).toBe(5);
  });

  test('the subject marked as a test, sender, reply-to, HTML and a text made from it', async () => {
    await testSend({
      subject: 'Spring sale',
      sender_name: 'Olive',
      from_email: 'olive@mail.localhost',
      reply_to: 'help@acme.test',
    });
    const mail = onlyMail();
    const parsed = await MailSink.parse(mail);
    expect(parsed).toMatchObject({
      subject: '[Test] Spring sale',
      from: { name: 'Olive', address: 'olive@mail.localhost' },
      to: [{ address: 'ada@example.com' }],
      replyTo: [{ address: 'help@acme.test' }],
    });
    expect(parsed.html?.trimEnd()).toBe('<p>Hi there</p>');
    expect(parsed.text?.trim()).toBe('Hi there');
    expect(parsed.headers).toContainEqual({
      key: 'x-waypost-test',
      originalKey: 'X-Waypost-Test',
      value: 'true',
    });
    expect(parsed.messageId).toMatch(/^<[0-9a-f-]{36}@mail\.localhost>$/);
    expect([mail.from, mail.to]).toEqual(['olive@mail.localhost', ['ada@example.com']]);
    expect(mail.raw).not.toMatch(/unsubscribe/i);
  });

  test.each([[{}], [{ subject: null }], [{ subject: ' ' }]])('a subject of its own for %j', async (more) => {
    await testSend(more);
    expect((await MailSink.parse(onlyMail())).subject).toBe('[Test] Test email');
  });

  test("what the request leaves out of the sender is the workspace's", async () => {
    workspace = await app.workspace({
      sender: { from_email: 'hello@acme.test', from_name: 'Acme', reply_to: 'desk@acme.test' },
    });
    await testSend({ sender_name: ' ', from_email: null });
    expect(await MailSink.parse(onlyMail())).toMatchObject({
      from: { name: 'Acme', address: 'hello@mail.localhost' },
      replyTo: [{ address: 'desk@acme.test' }],
    });
  });

  test('an unverified domain is rewritten to the shared one, display name and reply-to kept', async () => {
    await testSend({ sender_name: 'Olive', from_email: 'Olive@acme.test', reply_to: 'help@acme.test' });
    expect(await MailSink.parse(onlyMail())).toMatchObject({
      from: { name: 'Olive', address: 'Olive@mail.localhost' },
      replyTo: [{ address: 'help@acme.test' }],
    });
  });

  test('the test environment sends from the sandbox domain', async () => {
    expect((await testSend({ from_email: 'olive@acme.test' }, inTest())).body.sent_count).toBe(1);
    const parsed = await MailSink.parse(onlyMail());
    expect(parsed.from?.address).toBe('olive@sandbox.mail.localhost');
    expect(headerLines()).toContain('X-Waypost-Environment: test');
  });

  test('a repeated recipient gets one message', async () => {
    const answer = await testSend({ to_emails: ['ada@example.com', ' ADA@Example.com', 'ada@example.com'] });
    expect(answer.body).toEqual({
      sent_count: 1,
      failed: [],
      results: [{ email: 'ada@example.com', outcome: 'sent', reason: null }],
      all_accepted: true,
    });
    onlyMail();
  });

  test('a template of the slug test-send is out of its way', async () => {
    const template = { name: 'T', slug: 'test-send', body_html: '<p>T</p>' };
    expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
    expect((await testSend()).body.sent_count).toBe(1);
    expect((await workspace.call('GET', '/v1/templates/test-send')).body.name).toBe('T');
  });
});

describe('rendering', () => {
  const contact = (more: object, headers: Record<string, string> = {}) =>
    workspace.call(
      'POST',
      '/v1/contacts',
      { external_id: 'ada', email: 'Ada@example.com', first_name: 'Ada', ...more },
      headers,
    );
  const textTo = async (address: string): Promise<string | undefined> =>
    (await MailSink.parse(app.sink.to(address)[0]!)).text?.trim();

  test("with the recipient's own contact; fallbacks for whoever is none", async () => {
    await contact({});
    await testSend({
      to_emails: ['ada@example.com', 'bob@example.com'],
      subject: "For {the user's First Name}",
    });
    expect(await textTo('ada@example.com')).toBe('Hi Ada');
    expect((await MailSink.parse(app.sink.to('ada@example.com')[0]!)).subject).toBe('[Test] For Ada');
    expect(await textTo('bob@example.com')).toBe('Hi there');
  });

  test('of two contacts with one email the newer one', async () => {
    await contact({ external_id: 'older', first_name: 'Older' });
    app.clock.wind(1_000);
    await contact({ external_id: 'newer', first_name: 'Newer' });
    await testSend();
    expect(await textTo('ada@example.com')).toBe('Hi Newer');
  });

  test("in the contact's locale and time zone", async () => {
    await contact({ locale: 'de-DE', timezone: 'Europe/Berlin', properties: { amount: 1234.5 } });
    await testSend({ body_html: '<p>{the user\'s Amount, as "number"} {now, as "HH:mm"}</p>' });
    const berlin = new Intl.DateTimeFormat('de-DE', { timeStyle: 'short', timeZone: 'Europe/Berlin' });
    expect(await textTo('ada@example.com')).toBe(`1.234,5 ${berlin.format(app.clock.now())}`);
  });

  test('a contact of the other environment or of another workspace is nobody', async () => {
    await contact({}, inTest());
    const other = await app.workspace();
    await other.call('POST', '/v1/contacts', {
      external_id: 'x',
      email: 'ada@example.com',
      first_name: 'Eve',
    });
    await testSend();
    expect(await textTo('ada@example.com')).toBe('Hi there');
  });

  test('a deleted contact is nobody', async () => {
    await contact({});
    await admin.query(`UPDATE contacts SET subscription_status = 'deleted' WHERE workspace_id = $1`, [
      workspace.id,
    ]);
    await testSend();
    expect(await textTo('ada@example.com')).toBe('Hi there');
  });

  test('an unsubscribed contact gets it: it was asked for by name', async () => {
    await contact({});
    await admin.query(`UPDATE contacts SET subscription_status = 'unsubscribed' WHERE workspace_id = $1`, [
      workspace.id,
    ]);
    expect((await testSend()).body.sent_count).toBe(1);
  });

  test('Jinja2 is rendered too', async () => {
    await contact({});
    await testSend({ subject: '{{ contact.first_name }}', body_html: '<p>Hi {{ contact.first_name }}</p>' });
    const parsed = await MailSink.parse(onlyMail());
    expect([parsed.subject, parsed.text?.trim()]).toEqual(['[Test] Ada', 'Hi Ada']);
    expect(parsed.html).toContain('<p>Hi Ada</p>');
  });

  test('a required value that is missing fails that recipient alone', async () => {
    await contact({});
    const to = ['ada@example.com', 'bob@example.com'];
    const answer = await testSend({ to_emails: to, body_html: "<p>{the user's First Name, required}</p>" });
    expect(answer.body).toEqual({
      sent_count: 1,
      failed: ['bob@example.com'],
      results: [
        { email: 'ada@example.com', outcome: 'sent', reason: null },
        { email: 'bob@example.com', outcome: 'failed', reason: 'missing_required_field' },
      ],
      all_accepted: false,
    });
  });

  test('a rendering that fails is told', async () => {
    await contact({ properties: { items: Array(200).fill(1) } });
    const loop = "{for each A in the user's Items}{for each B in the user's Items}x{end for}{end for}";
    expect((await testSend({ body_html: loop })).body).toEqual(allFailed('render_failed'));
  });

  test.each([
    ['the subject', { subject: '{end if}' }],
    ['the body', { body_html: '<p>{if the A exists}</p>' }],
  ])('a syntax error in %s fails every recipient', async (_place, more) => {
    const to = ['ada@example.com', 'bob@example.com'];
    expect((await testSend({ ...more, to_emails: to })).body).toEqual(allFailed('template_errors', to));
    expect(app.sink.mails).toHaveLength(0);
  });

  test.each([
    ['the subject', { subject: 'Hi «first name»' }],
    ['the body', { body_html: '<p>Hi «first name»</p>' }],
    ['the body, alone', { body_html: '<p>Hi » there</p>' }],
    ['the body, by name', { body_html: '<p>Hi &laquo;first name&raquo;</p>' }],
    ['the body, by number', { body_html: '<p>Hi &#171;first name&#xBB;</p>' }],
    ['a body that is broken, too', { body_html: '«x» {end if}' }],
  ])('a placeholder in %s fails every recipient and sends nothing', async (_place, more) => {
    const to = ['ada@example.com', 'bob@example.com', 'nobody'];
    const answer = await testSend({ ...more, to_emails: to });
    expect([answer.status, answer.body]).toEqual([200, allFailed('unresolved_placeholder', to)]);
    expect(app.sink.mails).toHaveLength(0);
  });

  test('guillemets in the data are no placeholder', async () => {
    await contact({ first_name: '«Ada»' });
    expect((await testSend()).body.sent_count).toBe(1);
    expect(await textTo('ada@example.com')).toBe('Hi «Ada»');
  });
});

describe('the request', () => {
  test.each(['to_emails', 'body_html'])('without %s is 400 validation_error', async (field) => {
    const answer = await testSend({ [field]: undefined });
    expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([
      400,
      'validation_error',
      field,
    ]);
  });

  test.each<[string, string, unknown]>([
    ['no recipient', 'to_emails', []],
    ['six recipients', 'to_emails', [1, 2, 3, 4, 5, 6].map((number) => `a${number}@example.com`)],
    ['a recipient that is no text', 'to_emails', ['a@example.com', 1]],
    ['a malformed from_email', 'from_email', 'olive'],
    ['an empty from_email', 'from_email', ''],
    ['a from_email with a header in it', 'from_email', 'a@acme.test\r\nBcc: x@example.com'],
    ['a malformed reply_to', 'reply_to', 'help'],
    ['a reply_to with a header in it', 'reply_to', 'help@acme.test\r\nBcc: x@example.com'],
    ['a subject over 255 characters', 'subject', 'x'.repeat(256)],
    ['NUL in the subject', 'subject', 'a\0'],
    ['half a character in the body', 'body_html', 'a\ud800'],
    ['NUL in the sender’s name', 'sender_name', 'a\0'],
    ['an empty body', 'body_html', ''],
    ['a body over 2 MB', 'body_html', 'x'.repeat(2_097_153)],
    ['an unknown field', 'bcc', 'x@example.com'],
  ])('with %s is 422 naming the field, and sends nothing', async (_name, field, value) => {
    const answer = await testSend({ [field]: value });
    expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([
      422,
      'invalid_field',
      field,
    ]);
    expect(app.sink.mails).toHaveLength(0);
  });

  test('a malformed address fails alone', async () => {
    const answer = await testSend({
      to_emails: ['nobody', 'ada@example.com', 'a@b.c\r\nRCPT TO:<x@y.z>', ''],
    });
    expect(answer.body).toMatchObject({
      sent_count: 1,
      failed: ['nobody', 'a@b.c\r\nRCPT TO:<x@y.z>', ''],
      all_accepted: false,
    });
    expect(answer.body.results[0]).toEqual({ email: 'nobody', outcome: 'failed', reason: 'invalid_email' });
    expect(onlyMail().to).toEqual(['ada@example.com']);
  });

  test('line breaks in subject and sender_name make no header', async () => {
    await workspace.call('POST', '/v1/contacts', {
      external_id: 'ada',
      email: 'ada@example.com',
      first_name: 'Ada\r\nBcc: value@example.com',
    });
    const answer = await testSend({
      subject: "Hi {the user's First Name}\r\nBcc: subject@example.com\r\n\r\nbody",
      sender_name: 'Olive\r\nBcc: name@example.com',
    });
    expect(answer.body.sent_count).toBe(1);
    const lines = headerLines();
    expect(lines.filter((line) => /^bcc/i.test(line))).toEqual([]);
    expect(onlyMail().to).toEqual(['ada@example.com']);
    const parsed = await MailSink.parse(onlyMail());
    expect(parsed.from?.name).toBe('Olive Bcc: name@example.com');
    expect(parsed.subject).toMatch(/^\[Test\] Hi Ada Bcc: value@example.com Bcc: subject@example.com body$/);
  });
});

describe('who may', () => {
  const as = (headers: Record<string, string>) =>
    app.request('POST', '/v1/templates/test-send', GOOD, { 'x-workspace-id': workspace.id, ...headers });

  test.each([
    ['management', 200],
    ['full', 200],
    ['data', 403],
    ['reporting', 403],
  ])('a key of the scope %s: %i', async (scope, status) => {
    const { body } = await workspace.graphql(
      `mutation { createApiKey(input: { name: "k", scope: ${scope}, environment: live }) { key } }`,
    );
    const key = body.data.createApiKey.key as string;
    const answer = await as({ 'x-api-key': key });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.reason).toBe('insufficient_scope');
  });

  test.each([
    ['marketing', 200],
    ['developer', 200],
    ['operations', 403],
    ['viewer', 403],
  ])('a member with the role %s: %i', async (role, status) => {
    const email = `${role}-${workspace.id}@example.com`;
    workspace = await app.workspace({ members: [{ email, role }] });
    const answer = await as({ authorization: `Bearer ${await app.token(email)}` });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.reason).toBe('missing_permission');
  });

  test('nobody in a suspended workspace', async () => {
    await admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [workspace.id]);
    await until('the change is told', async () => (await testSend()).status === 403);
    app.sink.mails.length = 0;
    expect((await testSend()).body.code).toBe('workspace_suspended');
    expect(app.sink.mails).toHaveLength(0);
  });

  test('in a workspace that is not live live email goes to nobody, and the sandbox is open', async () => {
    workspace = await app.workspace({ live: false });
    expect((await testSend()).body).toEqual(allFailed('workspace_not_live'));
    expect(app.sink.mails).toHaveLength(0);
    expect((await testSend({}, inTest())).body.all_accepted).toBe(true);
    onlyMail();
  });

  test('a workspace whose own sender is malformed is told', async () => {
    await admin.query(`UPDATE workspaces SET sender = '{"from_email": "nobody"}' WHERE id = $1`, [
      workspace.id,
    ]);
    await app.untilChangesHandled();
    expect((await testSend()).body).toEqual(allFailed('invalid_from_address'));
    expect((await testSend({ from_email: 'olive@acme.test' })).body.sent_count).toBe(1);
  });
});

describe('the hourly allowance', () => {
  const five = (name: string): string[] =>
    ['a', 'b', 'c', 'd', 'e'].map((part) => `${part}.${name}@example.com`);

  test('is 100 recipients of a workspace, to the last one, however many ask at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, turn) =>
        testSend({ to_emails: five(`r${turn}`) }, turn % 2 === 0 ? {} : inTest()),
      ),
    );
    const [granted, refused] = [200, 429].map((status) =>
      answers.filter((answer) => answer.status === status),
    );
    expect([granted?.length, refused?.length]).toEqual([20, 10]);
    expect(app.sink.mails).toHaveLength(100);
    const [first] = refused ?? [];
    expect(first?.body).toMatchObject({ code: 'rate_limit_exceeded' });
    expect(Number(first?.headers.get('retry-after'))).toBeGreaterThan(3_590);

    const other = await app.workspace();
    expect((await other.call('POST', '/v1/templates/test-send', GOOD)).status).toBe(200);
    app.clock.wind(HOUR);
    expect((await testSend({ to_emails: five('later') })).status).toBe(200);
  });

  test('is the same for GraphQL, and a query holds but a few', async () => {
    for (let turn = 0; turn < 19; turn++) await testSend({ to_emails: five(`r${turn}`) });
    const send = (alias: string): string =>
      `${alias}: sendTestEmail(input: { toEmails: ${JSON.stringify(five(alias))}, bodyHtml: "<p>x</p>" }) { sentCount }`;
    const many = Array.from({ length: 15 }, (_, index) => send(`s${index}`));
    const costly = await workspace.graphql(`mutation { ${many.join(' ')} }`);
    expect([costly.status, costly.body.errors[0].extensions.code]).toEqual([400, 'query_too_costly']);
    expect(app.sink.mails).toHaveLength(95);

    const answer = await workspace.graphql(`mutation { ${many.slice(0, 2).join(' ')} }`);
    expect(answer.body.errors).toMatchObject([
      {
        path: ['s1'],
        extensions: { code: 'rate_limit_exceeded', status: 429, retry_after: expect.any(Number) },
      },
    ]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(app.sink.mails).toHaveLength(100);
  });

  test('counts neither whom nothing is sent to nor what is not sent', async () => {
    for (let turn = 0; turn < 25; turn++) {
      await testSend({ to_emails: ['x', 'y', 'z', 'v', 'w'] });
      await testSend({ to_emails: five(`r${turn}`), body_html: '<p>{if</p>' });
    }
    expect((await testSend({ to_emails: five('last') })).body.sent_count).toBe(5);
  });
});

describe('what mail servers answer', () => {
  const to = ['ada@example.com', 'bob@example.com', 'eve@example.com'];
  const reasons = (answer: Answer) =>
    answer.body.results.map((result: { reason: string | null }) => result.reason);

  test.each([
    ['a refusal', { code: 550, text: 'No such user' }, 'rejected'],
    ['a refusal for now', { code: 451, text: 'Later' }, 'temporarily_rejected'],
    ['a broken connection', 'drop', 'unknown'],
  ] as const)('%s of one recipient does not spoil the others', async (_name, verdict, reason) => {
    app.sink.verdict = (mail) => (mail.to.includes('bob@example.com') ? verdict : undefined);
    const answer = await testSend({ to_emails: to });
    expect(answer.body).toMatchObject({ sent_count: 2, failed: ['bob@example.com'], all_accepted: false });
    expect(reasons(answer)).toEqual([null, reason, null]);
  });

  test('a server that cannot be reached', async () => {
    const server = await listening(createServer());
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await withServer({ SMTP_URL: `smtp://127.0.0.1:${port}` }, async (call) => {
      expect((await call()).body).toEqual(allFailed('unreachable'));
    });
  });

  test('a process without a mail server starts, and says so', async () => {
    await withServer({ SMTP_URL: '' }, async (call) => {
      const answer = await call();
      expect([answer.status, answer.body]).toEqual([200, allFailed('no_transport')]);
    });
  });

  test('a server that never answers is given up after a while, and is not sent it later', async () => {
    const mute = await listening(createServer(() => undefined));
    const { port } = mute.address() as AddressInfo;
    await withServer({ SMTP_URL: `smtp://127.0.0.1:${port}` }, async (_call, other, scope) => {
      const service = other.app.get(TestSendService, { strict: false });
      const report = await service.send(scope, readTestSend({ ...GOOD, to_emails: to }), 'actor', 200);
      expect(report.results.map(({ reason }) => reason)).toEqual(['timeout', 'timeout', 'timeout']);
      await until('its connections are closed', async () => (await connectionsOf(mute)) === 0);
    });
    mute.close();
  });

  test('what was handed over when patience ended may have arrived', async () => {
    app.sink.delay = 2_000;
    const service = app.app.get(TestSendService, { strict: false });
    const scope = { workspaceId: workspace.id, environment: 'live' as const };
    const report = await service.send(scope, readTestSend(GOOD), 'actor', 700);
    app.sink.delay = 0;
    expect(report.results).toEqual([{ email: 'ada@example.com', outcome: 'failed', reason: 'timeout' }]);
  });
});

describe('no trace', () => {
  test('test emails are not logged, and so count toward no quota', async () => {
    await testSend();
    await testSend({ to_emails: ['nobody'] });
    await testSend({}, inTest());
    const { rows } = await admin.query('SELECT 1 FROM email_logs WHERE workspace_id = $1', [workspace.id]);
    expect(rows).toHaveLength(0);
    const contacts = await admin.query('SELECT 1 FROM contacts WHERE workspace_id = $1', [workspace.id]);
    expect(contacts.rows).toHaveLength(0);
  });
});

describe('GraphQL', () => {
  const MUTATION = `mutation ($input: TestEmailInput!) {
    sendTestEmail(input: $input) { sentCount failed allAccepted results { email outcome reason } } }`;

  test('sends the same', async () => {
    const { body } = await workspace.graphql(MUTATION, {
      input: {
        toEmails: ['ada@example.com', 'nobody'],
        bodyHtml: HTML,
        subject: 'Hello',
        senderName: 'Olive',
        fromEmail: 'olive@acme.test',
        replyTo: 'help@acme.test',
      },
    });
    expect(body.data.sendTestEmail).toEqual({
      sentCount: 1,
      failed: ['nobody'],
      allAccepted: false,
      results: [
        { email: 'ada@example.com', outcome: 'sent', reason: null },
        { email: 'nobody', outcome: 'failed', reason: 'invalid_email' },
      ],
    });
    expect(await MailSink.parse(onlyMail())).toMatchObject({
      subject: '[Test] Hello',
      from: { name: 'Olive', address: 'olive@mail.localhost' },
    });
  });

  test('refuses the same', async () => {
    const { body } = await workspace.graphql(MUTATION, { input: { toEmails: [], bodyHtml: HTML } });
    expect(body.errors[0].extensions.code).toBe('invalid_field');
  });
});

describe('real emails that are not done', () => {
  const LOGS = '{ emailLogs(first: 10) { edges { node { status errorCode } } } }';
  const logs = async (): Promise<{ status: string; errorCode: string | null }[]> =>
    (await workspace.graphql(LOGS)).body.data.emailLogs.edges.map(({ node }: any) => node);

  async function activeFlow(steps: object[]): Promise<void> {
    const flow = { name: 'F', trigger_event: 'signed_up', content_type: 'transactional', steps };
    const { body } = await workspace.call('POST', '/v1/flows', flow);
    expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).body.status).toBe('active');
    const event = { external_id: 'ada', event_name: 'signed_up', contact: { email: 'ada@example.com' } };
    expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
  }
  const template = (more: object = {}) =>
    workspace.call('POST', '/v1/templates', { name: 'T', slug: 'welcome', body_html: HTML, ...more });

  test('an entity-encoded placeholder, which validation does not see, is stopped at send', async () => {
    expect((await template({ body_html: '<p>&laquo;name&raquo;</p>' })).body.validation_status).toBe('valid');
    await activeFlow([{ type: 'send_email', template_slug: 'welcome' }]);
    await until('the message has failed', async () => (await logs())[0]?.status === 'failed');
    expect(await logs()).toEqual([{ status: 'failed', errorCode: 'unresolved_placeholder' }]);
    expect(app.sink.mails).toHaveLength(0);
  });

  test('a step whose template was deleted fails with template_not_found', async () => {
    await template();
    await activeFlow([
      { type: 'wait', duration: '1h' },
      { type: 'send_email', template_slug: 'welcome' },
    ]);
    await until('the trip waits', async () => {
      const { rows } = await admin.query(
        `SELECT 1 FROM trips WHERE workspace_id = $1 AND resume_at IS NOT NULL`,
        [workspace.id],
      );
      return rows.length === 1;
    });
    expect((await workspace.call('DELETE', '/v1/templates/welcome')).status).toBe(204);
    app.clock.wind(3_600_000);
    await until('the message has failed', async () => (await logs())[0]?.status === 'failed');
    expect(await logs()).toEqual([{ status: 'failed', errorCode: 'template_not_found' }]);
  });

  test('a flow with a template that is not active cannot be activated', async () => {
    await template({ is_active: false });
    const steps = [{ type: 'send_email', template_slug: 'welcome' }];
    const flow = { name: 'F', trigger_event: 'signed_up', content_type: 'transactional', steps };
    const { body } = await workspace.call('POST', '/v1/flows', flow);
    const refused = await workspace.call('POST', `/v1/flows/${body.id}/activate`);
    expect([refused.status, refused.body.code]).toEqual([422, 'template_errors']);
    expect(refused.body.templates).toEqual([
      { slug: 'welcome', reason: 'inactive', steps: [0], findings: [] },
    ]);
  });
});

/** Boots the API alone with another mail server. */
async function withServer(
  env: Record<string, string>,
  work: (
    call: () => Promise<Answer>,
    other: TestApp,
    scope: { workspaceId: string; environment: 'live' },
  ) => Promise<void>,
): Promise<void> {
  const other = await bootApp({ queues: [], env });
  try {
    const there = await other.workspace();
    await work(() => there.call('POST', '/v1/templates/test-send', GOOD), other, {
      workspaceId: there.id,
      environment: 'live',
    });
  } finally {
    await other.close();
  }
}

async function listening(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
