/**
 * Promotional mail pauses automatically when too much of it bounces or is reported as spam, over HTTP, GraphQL and
 * SMTP.
 */
import { createHmac, randomBytes } from 'node:crypto';
import pg from 'pg';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { MailSink } from '../support/mail-sink.js';
import { until } from '../support/until.js';

const KEY = randomBytes(32);

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp({ env: { EMAIL_WEBHOOK_SECRET: `whsec_${KEY.toString('base64')}` } });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});
beforeEach(async () => {
  workspace = await app.workspace({ plan: 'enterprise' });
  const template = { name: 'Hello', slug: 'hello', subject: 'Hello', body_html: '<p>Hello</p>' };
  await workspace.call('POST', '/v1/templates', template);
  for (const type of ['promotional', 'transactional']) {
    const { body } = await workspace.call('POST', '/v1/flows', {
      name: type,
      trigger_event: type,
      content_type: type,
      steps: [{ type: 'send_email', template_slug: 'hello' }],
      settings: { reentry_policy: 'always' },
    });
    expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  }
});

type Kind = 'promotional' | 'transactional';
interface Row {
  readonly id: string;
  readonly status: string;
  readonly waits_for: string | null;
  readonly suppressed_reason: string | null;
  readonly next_attempt_at: Date;
}

let people = 0;

/** Sends messages to new contacts, and waits until the ledger has them in the expected state. */
async function send(
  kind: Kind,
  count: number,
  headers: Record<string, string>,
  as: Partial<Row>,
): Promise<Row[]> {
  const ids = Array.from({ length: count }, () => `p${++people}`);
  for (let from = 0; from < count; from += 50) {
    const events = ids.slice(from, from + 50).map((id) => ({
      external_id: id,
      event_name: kind,
      contact: { email: `${id}@x.test` },
    }));
    expect((await workspace.call('POST', '/v1/events/batch', { events }, headers)).status).toBe(202);
  }
  let rows: Row[] = [];
  await until(`${count} messages are as expected`, async () => {
    const found = await admin.query<Row>(
      `SELECT l.* FROM email_logs l JOIN contacts c ON c.workspace_id = l.workspace_id AND c.id = l.contact_id
       WHERE l.workspace_id = $1 AND c.external_id = ANY ($2) AND l.content_type = $3 ORDER BY l.id`,
      [workspace.id, ids, kind],
    );
    ({ rows } = found);
    return (
      rows.length === count &&
      rows.every((row) => Object.entries(as).every(([name, value]) => row[name as keyof Row] === value))
    );
  });
  return rows;
}
const sent = (kind: Kind, count: number): Promise<Row[]> => send(kind, count, {}, { status: 'sent' });
const held = (count: number): Promise<Row[]> =>
  send('promotional', count, {}, { status: 'queued', waits_for: 'sending_pause' });

async function comesBack(type: 'bounced' | 'complained', messages: readonly Row[]): Promise<void> {
  for (const { id: emailId } of messages) {
    const id = randomBytes(8).toString('hex');
    const seconds = String(Math.floor(Date.now() / 1_000));
    const body = JSON.stringify({
      type: `email.${type}`,
      data: { email_id: emailId, bounce: { type: 'Permanent' } },
    });
    const signature = createHmac('sha256', KEY).update(`${id}.${seconds}.${body}`).digest('base64');
    const headers = { 'svix-id': id, 'svix-timestamp': seconds, 'svix-signature': `v1,${signature}` };
    expect((await app.request('POST', '/v1/webhooks/email', body, headers)).status).toBe(200);
  }
  await until('word was worked on', async () => {
    const { rows } = await admin.query(
      'SELECT 1 FROM feedback WHERE workspace_id = $1 AND processed_at IS NULL',
      [workspace.id],
    );
    return rows.length === 0;
  });
}

const PAUSE = '{ reason sent bounced complained pausedAt heldUntil resumedAt resumedBy note }';
const STANDING = `sent bounced complained bounceRate complaintRate resumableAt held pause ${PAUSE} pauses ${PAUSE}`;

async function standing(): Promise<any> {
  const { body } = await workspace.graphql(`{ promotionalSending { ${STANDING} } }`);
  expect(body.errors).toBeUndefined();
  return body.data.promotionalSending;
}

const resume = (note?: string) =>
  workspace.graphql(`mutation ($note: String) { resumePromotionalMail(note: $note) { ${STANDING} } }`, {
    note,
  });

async function statusOf({ id }: Row): Promise<Row | undefined> {
  return (await admin.query<Row>('SELECT * FROM email_logs WHERE id = $1', [id])).rows[0];
}

test('below two hundred messages nothing is judged; from five percent of bounces on promotional mail is held, and nothing else', async () => {
  const first = await sent('promotional', 199);
  await comesBack('bounced', first.slice(0, 10));
  expect(await standing()).toMatchObject({
    sent: 199,
    bounced: 10,
    bounceRate: 5.03,
    pause: null,
    pauses: [],
  });

  // The rate is checked as messages are sent, so one more message is enough, without any new bounce.
  app.clock.wind(61_000);
  await sent('promotional', 1);
  await until('it is paused', async () => (await standing()).pause !== null);
  const now = app.clock.now();
  const pause = {
    reason: 'high_bounce_rate',
    sent: 200,
    bounced: 10,
    complained: 0,
    pausedAt: now.toISOString(),
    heldUntil: new Date(now.getTime() + 7 * DAY).toISOString(),
    resumedAt: null,
    resumedBy: null,
    note: null,
  };
  expect(await standing()).toMatchObject({
    bounceRate: 5,
    held: 0,
    resumableAt: now.toISOString(),
    pause,
    pauses: [pause],
  });

  const waiting = await held(3);
  await sent('transactional', 2);
  expect((await standing()).held).toBe(3);
  const log = await workspace.graphql(
    'query ($id: ID!) { emailLog(id: $id) { status waitsFor { gate until } } }',
    {
      id: waiting[0]!.id,
    },
  );
  expect(log.body.data.emailLog).toEqual({
    status: 'queued',
    waitsFor: { gate: 'sending_pause', until: pause.heldUntil },
  });

  app.clock.wind(HOUR);
  const { body } = await resume('The old list is gone.');
  const { pause: present, pauses } = body.data.resumePromotionalMail;
  expect([present, pauses.length]).toEqual([null, 1]);
  expect(pauses[0]).toMatchObject({
    resumedAt: app.clock.now().toISOString(),
    note: 'The old list is gone.',
  });
  expect(pauses[0].resumedBy).toMatch(/^[0-9a-f-]{36}$/);
  const { body: auditLog } = await workspace.graphql(
    '{ auditLog(first: 1) { edges { node { action actor before after } } } }',
  );
  expect(auditLog.data.auditLog.edges[0].node).toEqual({
    action: 'promotional_mail_resumed',
    actor: pauses[0].resumedBy,
    before: { environment: 'live', pausedAt: pauses[0].pausedAt },
    after: { environment: 'live', note: 'The old list is gone.' },
  });
  for (const row of waiting)
    await until('what was held is sent', async () => (await statusOf(row))?.status === 'sent');
  expect(await standing()).toMatchObject({ sent: 3, bounced: 0 });
  expect((await resume()).body.errors[0].extensions.code).toBe('conflict');
  // Bounces of mail sent before the resumption do not count.
  await comesBack('bounced', first.slice(10, 30));
  expect(await standing()).toMatchObject({ sent: 3, bounced: 0, pause: null });
});

test('the owner and active admins are told by mail, once a pause', async () => {
  const emails = { admin: 'told@example.com', former: 'former@example.com', developer: 'dev@example.com' };
  await admin.query(
    `INSERT INTO members (workspace_id, id, email, email_key, role, is_active, invite_accepted_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), email, email, role, is_active, now(), now(), now()
     FROM (VALUES ($2, 'admin', true), ($3, 'admin', false), ($4, 'developer', true)) AS m(email, role, is_active)`,
    [workspace.id, ...Object.values(emails)],
  );
  const messages = await sent('promotional', 200);
  await comesBack('bounced', messages.slice(0, 12));
  const notified = async (): Promise<string[]> =>
    (
      await admin.query<{ email: string }>(
        `SELECT to_email AS email FROM notices WHERE workspace_id = $1 AND status = 'sent' ORDER BY 1`,
        [workspace.id],
      )
    ).rows.map(({ email }) => email);
  await until('both are notified', async () => (await notified()).length === 2);
  expect(await notified()).toEqual([expect.stringMatching(/^owner/), emails.admin]);
  const [mail] = app.sink.to(emails.admin);
  const { subject, text } = await MailSink.parse(mail!);
  expect(subject).toMatch(/^Promotional mail of Workspace \d+ is paused$/);
  expect(text).toMatch(/promotional emails bounced[^]*Sent in the last seven days: 200/);
  expect(app.sink.to(emails.former)).toEqual([]);
  expect(app.sink.to(emails.developer)).toEqual([]);
});

test('a complaint in a thousand pauses; a second pause within a week lasts a day; what is held for a week is not sent', async () => {
  const first = await sent('promotional', 200);
  await comesBack('complained', first.slice(0, 1));
  expect(await standing()).toMatchObject({
    complaintRate: 0.5,
    pause: { reason: 'high_complaint_rate', complained: 1 },
  });
  app.clock.wind(HOUR);
  expect((await resume()).body.errors).toBeUndefined();

  app.clock.wind(HOUR);
  const second = await sent('promotional', 200);
  await comesBack('complained', second.slice(0, 1));
  expect((await standing()).pause).not.toBeNull();
  const [waiting] = await held(1);
  const tooSoon = await resume();
  expect(tooSoon.body.errors[0].extensions.code).toBe('conflict');
  expect(tooSoon.body.errors[0].message).toContain((await standing()).resumableAt);
  app.clock.wind(DAY);
  expect((await resume()).body.data.resumePromotionalMail.pause).toBeNull();
  await until('what was held is sent', async () => (await statusOf(waiting!))?.status === 'sent');

  const third = await sent('promotional', 199);
  await comesBack('bounced', third.slice(0, 20));
  expect((await standing()).pause).toMatchObject({ reason: 'high_bounce_rate' });
  const [stale] = await held(1);
  app.clock.wind(7 * DAY);
  await until('it is not sent any more', async () => (await statusOf(stale!))?.status === 'suppressed');
  expect((await statusOf(stale!))?.suppressed_reason).toBe('sending_paused');
  await send('promotional', 1, {}, { status: 'suppressed', suppressed_reason: 'sending_paused' });
});

test('what somebody else has in hand as a pause ends is let go behind them', async () => {
  const first = await sent('promotional', 200);
  await comesBack('complained', first.slice(0, 1));
  const [locked, ...others] = await held(3);
  await admin.query('BEGIN');
  try {
    await admin.query('SELECT FROM email_logs WHERE id = $1 FOR UPDATE', [locked!.id]);
    expect((await resume()).body.errors).toBeUndefined();
    for (const row of others)
      await until('the others are sent', async () => (await statusOf(row))?.status === 'sent');
    // By now every process that looks for more work has done so.
    await sent('promotional', 1);
  } finally {
    await admin.query('COMMIT');
  }
  await until('it is sent', async () => (await statusOf(locked!))?.status === 'sent');
});

test('transactional mail is not judged, and neither is mail of the test environment', async () => {
  const receipts = await sent('transactional', 200);
  await comesBack('bounced', receipts.slice(0, 20));
  const tried = await send('promotional', 200, { 'x-api-key': workspace.testKey }, { status: 'sent' });
  await comesBack('bounced', tried.slice(0, 20));
  expect(await standing()).toMatchObject({ sent: 0, bounced: 0, pause: null });
  await sent('promotional', 1);
});

test('only owners and admins have it go on', async () => {
  const { body } = await app.request(
    'POST',
    '/graphql',
    { query: 'mutation { resumePromotionalMail { held } }' },
    { 'x-api-key': workspace.key, 'x-workspace-id': workspace.id },
  );
  expect(body.errors[0].extensions.code).toBe('control_plane_only');
});
