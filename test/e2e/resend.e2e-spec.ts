/** Outcomes of messages, and sending them again: section 4.10 (`/v1/email-logs`). */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { MailSink } from '../support/mail-sink.js';
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
  app.sink.verdict = () => undefined;
  app.sink.mails.length = 0;
});

const TEMPLATE = {
  name: 'Receipt',
  slug: 'receipt',
  subject: 'Receipt {the Order from the trigger event, or "none"}',
  body_html: '<p>Dear {the user\'s First Name, or "you"}</p>',
};

let serial = 0;

/** A workspace with a direct send that has reached `status`. */
async function sent(
  status = 'sent',
  body: object = {},
): Promise<{ workspace: TestWorkspace; id: string; address: string }> {
  const workspace = await app.workspace();
  expect((await workspace.call('POST', '/v1/templates', TEMPLATE)).status).toBe(201);
  const address = `r${++serial}@example.com`;
  const to = { external_id: 'ada', email: address, first_name: 'Ada' };
  const request = { template_slug: 'receipt', to, attributes: { order: 'A1' }, ...body };
  const { body: answer } = await workspace.call('POST', '/v1/send', request);
  await becomes(answer.email_log_id, status);
  return { workspace, id: answer.email_log_id, address };
}

async function log(id: string): Promise<Record<string, unknown>> {
  const { rows } = await admin.query<Record<string, unknown>>('SELECT * FROM email_logs WHERE id = $1', [id]);
  return rows[0] ?? {};
}

const becomes = (id: string, status: string): Promise<void> =>
  until(
    `the message is ${status}`,
    async () => (await log(id))['status'] === status,
    () => log(id),
  );

const resend = (
  workspace: TestWorkspace,
  id: string,
  headers: Record<string, string> = {},
): Promise<Answer> => workspace.call('POST', `/v1/email-logs/${id}/resend`, undefined, headers);

const refusal = ({ status, body }: Answer) => [status, body.code ?? body.reason];

test('a message that was sent is sent again, with its data, as the template is now, to the present address', async () => {
  const { workspace, id } = await sent('sent', { content_type: 'promotional', subject: 'Once {the order}' });
  await workspace.call('PUT', '/v1/templates/receipt', { body_html: "<p>Hello {the user's First Name}</p>" });
  const address = `new${++serial}@example.com`;
  await workspace.call('PATCH', '/v1/contacts/ada', { email: address });
  const answer = await resend(workspace, id);
  expect([answer.status, answer.body]).toEqual([
    200,
    { success: true, email_log_id: expect.any(String), status: 'queued' },
  ]);
  await becomes(answer.body.email_log_id, 'sent');
  expect(await log(answer.body.email_log_id)).toMatchObject({
    ...{ origin: 'resend', origin_id: id, origin_step: 1, content_type: 'promotional' },
  });
  const [mail] = app.sink.to(address);
  const parsed = await MailSink.parse(mail!);
  expect([parsed.subject, parsed.html]).toEqual(['Once A1', expect.stringContaining('Hello Ada')]);
  // The footer is added again, once.
  expect(parsed.html?.match(/1 Main St/g)).toHaveLength(1);
  expect(mail!.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  expect(mail!.messageId).toContain(answer.body.email_log_id);
});

test('what repeats a message is repeated as the message itself', async () => {
  const { workspace, id } = await sent();
  const first = await resend(workspace, id);
  await becomes(first.body.email_log_id, 'sent');
  const second = await resend(workspace, first.body.email_log_id);
  await becomes(second.body.email_log_id, 'sent');
  expect(await log(second.body.email_log_id)).toMatchObject({ origin_id: id, origin_step: 2 });
});

test('a message that failed is sent as a new one', async () => {
  app.sink.verdict = () => ({ code: 550, text: '5.7.1 not wanted' });
  const { workspace, id, address } = await sent('failed');
  app.sink.verdict = () => undefined;
  const { body } = await resend(workspace, id);
  await becomes(body.email_log_id, 'sent');
  expect([(await log(id))['status'], app.sink.to(address).length]).toEqual(['failed', 1]);
});

test('one of unknown fate goes again itself, under its Message-ID', async () => {
  app.sink.verdict = () => 'accept-and-drop';
  const { workspace, id, address } = await sent('unknown', { content_type: 'promotional' });
  app.sink.verdict = () => undefined;
  const answer = await resend(workspace, id);
  expect(answer.body).toEqual({ success: true, email_log_id: id, status: 'queued' });
  await becomes(id, 'sent');
  const ids = app.sink.to(address).map(({ messageId }) => messageId);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
});

test.each<[string, string, (workspace: TestWorkspace) => Promise<unknown>]>([
  [
    'without a company address',
    'company_address_incomplete',
    ({ id }) => admin.query(`UPDATE workspaces SET company = '{"name": "A"}' WHERE id = $1`, [id]),
  ],
  ['to a deleted contact', 'contact_deleted', (workspace) => workspace.call('DELETE', '/v1/contacts/ada')],
  [
    'to who has unsubscribed',
    'unsubscribed',
    ({ id }) =>
      admin.query(`UPDATE contacts SET subscription_status = 'unsubscribed' WHERE workspace_id = $1`, [id]),
  ],
])('is no success %s', async (_name, reason, change) => {
  const { workspace, id, address } = await sent('sent', { content_type: 'promotional' });
  await change(workspace);
  // Processes cache workspaces; the change reaches the caches within moments.
  let answer = await resend(workspace, id);
  await until('the change is heard', async () => {
    if (answer.body.success === false) return true;
    await becomes(answer.body.email_log_id, 'sent');
    answer = await resend(workspace, id);
    return answer.body.success === false;
  });
  expect([answer.status, answer.body]).toEqual([
    200,
    { success: false, email_log_id: expect.any(String), status: 'suppressed' },
  ]);
  const found = await log(answer.body.email_log_id);
  expect(found).toMatchObject({ status: 'suppressed', suppressed_reason: reason, origin: 'resend' });
  const step = found['origin_step'] as number;
  expect(app.sink.to(address)).toHaveLength(step);
});

describe('refused', () => {
  test('what is on its way, and of ten at once all but one', async () => {
    app.sink.verdict = () => ({ code: 451, text: '4.3.0 later' });
    const { workspace, id } = await sent('queued');
    expect(refusal(await resend(workspace, id))).toEqual([409, 'conflict']);
    const other = await ((app.sink.verdict = () => undefined), sent());
    app.sink.verdict = () => ({ code: 451, text: '4.3.0 later' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => resend(other.workspace, other.id)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array<number>(9).fill(409)]);
  });

  test('what does not exist, or belongs to another workspace or environment', async () => {
    const { workspace, id } = await sent();
    const other = await app.workspace();
    const unknown = [404, 'email_log_not_found'];
    expect(refusal(await resend(other, id))).toEqual(unknown);
    expect(refusal(await resend(workspace, id, { 'x-api-key': workspace.testKey }))).toEqual(unknown);
    expect(refusal(await resend(workspace, 'nothing'))).toEqual(unknown);
  });

  test('a template that is gone or cannot be sent', async () => {
    const { workspace, id } = await sent();
    await workspace.call('PUT', '/v1/templates/receipt', { body_html: '<p>«name»</p>' });
    expect(refusal(await resend(workspace, id))).toEqual([422, 'template_errors']);
    expect((await workspace.call('DELETE', '/v1/templates/receipt')).status).toBeLessThan(300);
    expect(refusal(await resend(workspace, id))).toEqual([404, 'template_not_found']);
  });

  test('beyond the plan’s cap', async () => {
    const { workspace, id } = await sent();
    await admin.query(`UPDATE workspaces SET plan = 'free' WHERE id = $1`, [workspace.id]);
    await admin.query('UPDATE monthly_emails SET used = 1000 WHERE workspace_id = $1', [workspace.id]);
    await until('the plan is heard of', async () => {
      const { rows } = await admin.query(
        `SELECT 1 FROM email_logs WHERE workspace_id = $1 AND status IN ('queued', 'sending')`,
        [workspace.id],
      );
      return rows.length === 0 && (await resend(workspace, id)).status === 403;
    });
    expect(refusal(await resend(workspace, id))).toEqual([403, 'plan_limit_reached']);
  });
});

describe('what became of messages', () => {
  test('a key that sends reads one message', async () => {
    const { workspace, id, address } = await sent();
    const answer = await workspace.call('GET', `/v1/email-logs/${id}`);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        ...{ id, status: 'sent', origin: 'direct', to_email: address, subject: 'Receipt A1' },
        ...{ template_slug: 'receipt', content_type: 'transactional', attempts: 1, waits_for: null },
        ...{ flow_id: null, campaign_id: null, trip_id: null, step: null, next_attempt_at: null },
        sent_at: expect.any(String),
        bounced_at: null,
      },
    ]);
    expect(answer.body).not.toHaveProperty('options');
    for (const other of ['0193e5c0-0000-7000-8000-000000000001', 'nothing'])
      expect(refusal(await workspace.call('GET', `/v1/email-logs/${other}`))).toEqual([
        404,
        'email_log_not_found',
      ]);
  });

  test('a list is filtered by whom, what for, status and time, and has bounds', async () => {
    const { workspace, id, address } = await sent();
    app.clock.wind(1_000);
    const to = { external_id: 'out', email: `out${++serial}@example.com`, first_name: 'Out' };
    await workspace.call('POST', '/v1/contacts', { ...to, subscription_status: 'unsubscribed' });
    const { body: suppressed } = await workspace.call('POST', '/v1/send', {
      ...{ template_slug: 'receipt', to, content_type: 'promotional' },
    });
    expect(suppressed.status).toBe('suppressed');
    const { body: ada } = await workspace.call('GET', '/v1/contacts/ada');
    const before = new Date(app.clock.now().getTime() - 60_000).toISOString();
    const after = new Date(app.clock.now().getTime() + 60_000).toISOString();
    const nobody = '0193e5c0-0000-7000-8000-000000000001';
    const first = id;
    const second = suppressed.email_log_id;
    for (const [query, ids] of [
      ['', [second, first]],
      [`contact_id=${ada.id}`, [first]],
      ['external_id=ada', [first]],
      [`email=${encodeURIComponent(address.toUpperCase())}`, [first]],
      [`email=${encodeURIComponent(to.email)}&external_id=ada`, []],
      ['status=suppressed', [second]],
      ['status=sent', [first]],
      ['status=queued', []],
      [`flow_id=${nobody}`, []],
      [`campaign_id=${nobody}`, []],
      [`created_after=${before}&created_before=${after}`, [second, first]],
      [`created_after=${after}`, []],
      [`created_before=${before}`, []],
      ['external_id=nobody', []],
    ] as const) {
      const { status, body } = await workspace.call('GET', `/v1/email-logs?${query}`);
      expect([query, status, body.email_logs?.map((log: any) => log.id), body.total]).toEqual([
        query,
        200,
        ids,
        ids.length,
      ]);
    }
    const page = await workspace.call('GET', '/v1/email-logs?limit=1&offset=1');
    expect(page.body).toMatchObject({ email_logs: [{ id: first }], total: 2, limit: 1, offset: 1 });
    for (const query of [
      'limit=201',
      'limit=0',
      'offset=100001',
      'status=gone',
      'contact_id=ada',
      'created_after=x',
    ])
      expect(refusal(await workspace.call('GET', `/v1/email-logs?${query}`))).toEqual([422, 'invalid_field']);
    const elsewhere = await app.workspace();
    const theirs = await elsewhere.call('GET', `/v1/email-logs/${id}`);
    expect(refusal(theirs)).toEqual([404, 'email_log_not_found']);
    expect((await elsewhere.call('GET', '/v1/email-logs')).body.total).toBe(0);
  });
});
