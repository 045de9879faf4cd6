/**
 * Direct sends over HTTP and SMTP: section 4.10 (`POST /v1/send`), its refusals, and the subject order of section 9.
 */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { HOUR } from '../support/clock.js';
import { MailSink, type ReceivedMail } from '../support/mail-sink.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});
beforeEach(() => {
  app.sink.mails.length = 0;
});

const RECEIPT = {
  name: 'Receipt',
  slug: 'receipt',
  subject: 'Receipt {the Order from the trigger event, or "none"}',
  body_html:
    '<html><body><p>Dear {the user\'s First Name, or "you"}: {the Total from the trigger event, or "?"}</p></body></html>',
};

async function workspaceWith(template: object = {}, overrides: object = {}): Promise<TestWorkspace> {
  const workspace = await app.workspace(overrides);
  const made = await workspace.call('POST', '/v1/templates', { ...RECEIPT, ...template });
  expect(made.status).toBe(201);
  return workspace;
}

const to = (externalId: string, more: object = {}) => ({
  external_id: externalId,
  email: `${externalId}@example.com`,
  ...more,
});
const send = (
  workspace: TestWorkspace,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> =>
  workspace.call('POST', '/v1/send', { template_slug: 'receipt', to: to('ada'), ...body }, headers);

async function logs(workspace: TestWorkspace): Promise<Record<string, unknown>[]> {
  const { rows } = await admin.query<Record<string, unknown>>(
    'SELECT * FROM email_logs WHERE workspace_id = $1 ORDER BY id',
    [workspace.id],
  );
  return rows;
}

async function arrived(address: string): Promise<ReceivedMail> {
  await until(`mail to ${address}`, () => Promise.resolve(app.sink.to(address).length > 0));
  return app.sink.to(address)[0]!;
}

/** The status, the code and the first field of a refusal. */
const refusal = ({ status, body }: Answer) => [status, body.code ?? body.reason, body.errors?.[0]?.field];

describe('what is sent', () => {
  test('the contact is upserted, the attributes are read, and the row is there before the answer', async () => {
    const workspace = await workspaceWith();
    const person = to('ada', { first_name: 'Ada', properties: { plan: 'pro' }, $add_tags: ['buyer'] });
    const answer = await send(workspace, { to: person, attributes: { order: '4711', total: 49.9 } });
    expect([answer.status, answer.body]).toEqual([
      200,
      { email_log_id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'queued' },
    ]);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('2147483647');
    expect((await logs(workspace))[0]).toMatchObject({ id: answer.body.email_log_id, origin: 'direct' });
    const mail = await MailSink.parse(await arrived('ada@example.com'));
    expect(mail.subject).toBe('Receipt 4711');
    expect(mail.html).toContain('Dear Ada: 49.9');
    expect(mail.headers.some(({ key }) => key === 'list-unsubscribe')).toBe(false);
    const { body: contact } = await workspace.call('GET', '/v1/contacts/ada');
    expect(contact).toMatchObject({ first_name: 'Ada', properties: { plan: 'pro' }, tags: ['buyer'] });
  });

  test('promotional mail bears footer and list headers; user_id is an alias', async () => {
    const workspace = await workspaceWith();
    const person = { user_id: 'eve', email: 'eve@example.com' };
    expect((await send(workspace, { to: person, content_type: 'promotional' })).body.status).toBe('queued');
    const { raw } = await arrived('eve@example.com');
    expect(raw).toMatch(/^List-Unsubscribe: </m);
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    const parsed = await MailSink.parse(app.sink.to('eve@example.com')[0]!);
    for (const part of [parsed.html, parsed.text]) {
      expect(part).toContain('Acme Inc');
      expect(part?.match(/1 Main St/g)).toHaveLength(1);
    }
  });

  test.each([
    ['of the request', { subject: 'Hi {the user\'s First Name, or "you"}' }, 'Hi you'],
    ['of the template, where the request has none', {}, 'Receipt none'],
    [
      'of the template, where that of the request comes to nothing',
      { subject: "{the user's Last Name}" },
      'Receipt none',
    ],
    ['of the template, where that of the request is blank', { subject: '  ' }, 'Receipt none'],
    ['of the template, where that of the request is null', { subject: null }, 'Receipt none'],
  ])('the subject is that %s', async (_name, body, subject) => {
    const workspace = await workspaceWith();
    await send(workspace, body);
    expect((await MailSink.parse(await arrived('ada@example.com'))).subject).toBe(subject);
  });

  test('the subject is empty where nobody gives one', async () => {
    const workspace = await workspaceWith({ subject: null });
    await send(workspace);
    expect((await MailSink.parse(await arrived('ada@example.com'))).subject ?? '').toBe('');
  });

  test('numbers that no double holds keep their value', async () => {
    const workspace = await workspaceWith();
    const body = `{"template_slug":"receipt","to":{"external_id":"n","email":"n@example.com"},"attributes":{"total":12345678901234567890}}`;
    const answer = await app.request('POST', '/v1/send', body, {
      'x-workspace-id': workspace.id,
      'x-api-key': workspace.key,
    });
    expect(answer.status).toBe(200);
    expect((await MailSink.parse(await arrived('n@example.com'))).html).toContain('12345678901234567890');
  });

  test('of the test environment goes to the sandbox, and shares nothing with the live one', async () => {
    const workspace = await workspaceWith();
    const inTest = { 'x-api-key': workspace.testKey };
    expect((await send(workspace, { idempotency_key: 'k' }, inTest)).body.status).toBe('queued');
    expect((await arrived('ada@example.com')).raw).toMatch(/^X-Waypost-Environment: test\r$/m);
    expect((await workspace.call('GET', '/v1/contacts/ada')).status).toBe(404);
    expect((await send(workspace, { idempotency_key: 'k' })).status).toBe(200);
  });
});

describe('suppressed at once', () => {
  test.each<[string, string, object, object]>([
    ['a workspace that is not live', 'workspace_not_live', { live: false }, {}],
    [
      'promotional mail without a company address',
      'company_address_incomplete',
      { company: { name: 'A' } },
      { content_type: 'promotional' },
    ],
    ['a contact without an address', 'no_email_address', {}, { to: { external_id: 'nobody' } }],
  ])('%s', async (_name, reason, overrides, body) => {
    const workspace = await workspaceWith({}, overrides);
    const answer = await send(workspace, { to: to('silent'), ...body });
    expect([answer.status, answer.body]).toEqual([
      200,
      { email_log_id: expect.any(String), status: 'suppressed', suppressed_reason: reason },
    ]);
    expect(await logs(workspace)).toMatchObject([
      { id: answer.body.email_log_id, status: 'suppressed', suppressed_reason: reason, attempts: 0 },
    ]);
    expect(app.sink.to('silent@example.com')).toEqual([]);
  });

  test('transactional mail needs no company address', async () => {
    const workspace = await workspaceWith({}, { company: { name: 'A' } });
    expect((await send(workspace)).body.status).toBe('queued');
  });

  test('a required field without a value', async () => {
    const workspace = await workspaceWith({
      body_html: '<p>{the Order from the trigger event, required}</p>',
    });
    expect((await send(workspace)).body).toMatchObject({
      status: 'suppressed',
      suppressed_reason: expect.stringMatching(/^missing_required_field: /),
    });
    expect((await send(workspace, { attributes: { order: 'A1' } })).body.status).toBe('queued');
  });

  test('who is unsubscribed, deleted or on the list', async () => {
    const workspace = await workspaceWith();
    await send(workspace, { to: to('gone') });
    await workspace.call('DELETE', '/v1/contacts/gone');
    expect((await send(workspace, { to: { external_id: 'gone' } })).body.suppressed_reason).toBe(
      'contact_deleted',
    );
    const add = 'mutation { addSuppression(input: { email: "listed@example.com" }) { address } }';
    const added = await workspace.graphql(add);
    if (added.body.errors) throw new Error(JSON.stringify(added.body.errors));
    expect((await send(workspace, { to: to('listed') })).body.suppressed_reason).toBe('suppressed_manual');
    await admin.query(
      `UPDATE contacts SET subscription_status = 'unsubscribed' WHERE workspace_id = $1 AND external_id = 'off'`,
      [workspace.id],
    );
    await send(workspace, { to: to('off') });
    await admin.query(
      `UPDATE contacts SET subscription_status = 'unsubscribed' WHERE workspace_id = $1 AND external_id = 'off'`,
      [workspace.id],
    );
    const promotional = await send(workspace, { to: to('off'), content_type: 'promotional' });
    expect(promotional.body.suppressed_reason).toBe('unsubscribed');
    // Contacts who left the newsletter still get receipts and password resets.
    const transactional = await send(workspace, { to: to('off'), content_type: 'transactional' });
    expect(transactional.body.status).toBe('queued');
    await until('it has arrived', () => app.sink.to('off@example.com').length === 2);
  });
});

describe('refused', () => {
  test.each<[string, object, unknown[]]>([
    ['no template_slug', { template_slug: undefined }, [400, 'validation_error', 'template_slug']],
    ['no recipient', { to: undefined }, [400, 'validation_error', 'to']],
    [
      'a recipient without external_id',
      { to: { email: 'a@b.co' } },
      [400, 'validation_error', 'to.external_id'],
    ],
    ['a malformed address', { to: to('x', { email: 'nope' }) }, [400, 'invalid_email', 'to.email']],
    ['a recipient that is no object', { to: 'ada' }, [422, 'invalid_field', 'to']],
    ['an unknown field of the contact', { to: to('x', { nick: 'a' }) }, [422, 'invalid_field', 'to.nick']],
    ['an unknown field', { cc: 'x@example.com' }, [422, 'invalid_field', 'cc']],
    ['another content type', { content_type: 'marketing' }, [422, 'invalid_field', 'content_type']],
    ['a subject with a broken expression', { subject: "Hi {the user's" }, [422, 'invalid_field', 'subject']],
    ['a long subject', { subject: 'x'.repeat(256) }, [422, 'invalid_field', 'subject']],
    ['attributes that are none', { attributes: [1] }, [422, 'invalid_field', 'attributes']],
    [
      'attributes of more than 64 KB',
      { attributes: { a: 'ü'.repeat(32_768) } },
      [422, 'invalid_field', 'attributes'],
    ],
    [
      'attributes that nest too deep',
      { attributes: { a: { b: { c: { d: { e: { f: 1 } } } } } } },
      [422, 'invalid_field', 'attributes'],
    ],
    ['an empty key', { idempotency_key: '' }, [422, 'invalid_field', 'idempotency_key']],
    ['a long key', { idempotency_key: 'k'.repeat(256) }, [422, 'invalid_field', 'idempotency_key']],
    ['an unknown template', { template_slug: 'nothing' }, [404, 'template_not_found', undefined]],
    ['a subject with a placeholder', { subject: 'Hi «name»' }, [422, 'template_errors', undefined]],
  ])('%s', async (_name, body, expected) => {
    const workspace = await workspaceWith();
    expect(refusal(await send(workspace, body))).toEqual(expected);
    expect(await logs(workspace)).toEqual([]);
    expect((await workspace.call('GET', '/v1/contacts/ada')).status).toBe(404);
  });

  test.each<[string, object, string]>([
    ['a placeholder in guillemets', { body_html: '<p>«name»</p>' }, 'unresolved_placeholder'],
    ['syntax errors', { body_html: "<p>{if the user's Age is over}</p>" }, 'template_errors'],
    ['inactive', { is_active: false }, 'template_inactive'],
  ])('a template that cannot be sent: %s', async (_name, template, reason) => {
    const workspace = await workspaceWith(template);
    const answer = await send(workspace, { idempotency_key: 'k' });
    expect(refusal(answer)).toEqual([422, 'template_errors', undefined]);
    expect(answer.body.templates).toEqual([{ slug: 'receipt', reason }]);
    const mended = { body_html: '<p>Hi</p>', is_active: true };
    expect((await workspace.call('PUT', '/v1/templates/receipt', mended)).status).toBe(200);
    // A refused send does not use up its idempotency key.
    expect((await send(workspace, { idempotency_key: 'k' })).body.status).toBe('queued');
  });

  test('a workspace whose From address is malformed', async () => {
    const workspace = await workspaceWith();
    await admin.query(`UPDATE workspaces SET sender = '{"from_email": "nobody"}' WHERE id = $1`, [
      workspace.id,
    ]);
    await until('the change is heard', async () => (await send(workspace)).status === 422);
    expect(refusal(await send(workspace))).toEqual([422, 'invalid_field', 'from_email']);
  });

  test('by scope, by role, and in a suspended workspace', async () => {
    const workspace = await workspaceWith(
      {},
      {
        api_keys: [
          { name: 'live', scope: 'full', environment: 'live' },
          { name: 'test', scope: 'full', environment: 'test' },
          { name: 'data', scope: 'data', environment: 'live' },
          { name: 'reporting', scope: 'reporting', environment: 'live' },
        ],
        members: [
          { email: 'owner-of-send@example.com', role: 'owner' },
          { email: 'viewer-of-send@example.com', role: 'viewer' },
        ],
      },
    );
    const { rows } = await admin.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM api_keys WHERE workspace_id = $1',
      [workspace.id],
    );
    expect(rows[0]?.n).toBe(4);
    const asMember = async (email: string) =>
      app.request(
        'POST',
        '/v1/send',
        { template_slug: 'receipt', to: to('m') },
        { authorization: `Bearer ${await app.token(email)}`, 'x-workspace-id': workspace.id },
      );
    expect(refusal(await asMember('viewer-of-send@example.com'))).toEqual([
      403,
      'missing_permission',
      undefined,
    ]);
    expect((await asMember('owner-of-send@example.com')).status).toBe(200);
    await admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [workspace.id]);
    await until('the change is heard', async () => (await send(workspace)).status === 403);
    expect(refusal(await send(workspace))).toEqual([403, 'workspace_suspended', undefined]);
  });

  test('the template of another workspace', async () => {
    const [one, other] = [await workspaceWith({ slug: 'mine' }), await workspaceWith()];
    expect(refusal(await send(other, { template_slug: 'mine' }))).toEqual([
      404,
      'template_not_found',
      undefined,
    ]);
    expect((await send(one, { template_slug: 'mine' })).status).toBe(200);
  });
});

describe('an idempotency key', () => {
  test('of ten requests at once one is taken, and the others are told of it', async () => {
    const workspace = await workspaceWith();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => send(workspace, { to: to(`p${n}`), idempotency_key: 'order-1' })),
    );
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer !== taken[0])) {
      expect(status).toBe(409);
      expect(body).toMatchObject({ code: 'duplicate_event', email_log_id: taken[0]!.body.email_log_id });
    }
    expect(await logs(workspace)).toHaveLength(1);
    const { rows } = await admin.query('SELECT id FROM contacts WHERE workspace_id = $1', [workspace.id]);
    expect(rows).toHaveLength(1);
  });

  test('is forgotten after 24 hours, and swept when others come', async () => {
    const workspace = await workspaceWith();
    for (const key of ['a', 'b', 'c'])
      expect((await send(workspace, { idempotency_key: key })).status).toBe(200);
    app.clock.wind(23 * HOUR);
    expect((await send(workspace, { idempotency_key: 'a' })).status).toBe(409);
    app.clock.wind(2 * HOUR);
    expect((await send(workspace, { idempotency_key: 'a' })).status).toBe(200);
    const { rows } = await admin.query<{ key: string }>('SELECT key FROM send_keys WHERE workspace_id = $1', [
      workspace.id,
    ]);
    expect(rows).toEqual([{ key: 'a' }]);
  });

  test('is told of before all else: what it was used for may not be sent any more', async () => {
    const workspace = await workspaceWith();
    const first = await send(workspace, { idempotency_key: 'k' });
    expect((await workspace.call('PUT', '/v1/templates/receipt', { is_active: false })).status).toBe(200);
    expect(refusal(await send(workspace))).toEqual([422, 'template_errors', undefined]);
    const again = await send(workspace, { idempotency_key: 'k' });
    expect([...refusal(again), again.body.email_log_id]).toEqual([
      ...[409, 'duplicate_event', undefined],
      first.body.email_log_id,
    ]);
  });

  test('is another one than an event’s, and another workspace’s', async () => {
    const [one, other] = [await workspaceWith(), await workspaceWith()];
    const event = { external_id: 'ada', event_name: 'bought', idempotency_key: 'same' };
    expect((await one.call('POST', '/v1/events', event)).status).toBe(202);
    expect((await send(one, { idempotency_key: 'same' })).status).toBe(200);
    expect((await send(other, { idempotency_key: 'same' })).status).toBe(200);
  });
});

test('an erasure leaves nothing of what a request has said', async () => {
  const workspace = await workspaceWith();
  await send(workspace, {
    to: to('canary'),
    subject: 'canary subject',
    attributes: { order: 'canary order' },
    idempotency_key: 'canary key',
  });
  await arrived('canary@example.com');
  const { body } = await workspace.graphql('mutation { eraseContact(id: "canary") { id } }');
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  for (const table of ['email_logs', 'send_keys']) {
    const { rows } = await admin.query(`SELECT t::text FROM ${table} t WHERE workspace_id = $1`, [
      workspace.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain('canary');
  }
});
