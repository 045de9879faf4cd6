/** Messages from the ledger to a real SMTP server, whatever it answers: section 2.3 and the rules of delivery. */
import { uuidv7 } from '../../src/kernel/uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { DAY, HOUR } from '../support/clock.js';
import { MailSink } from '../support/mail-sink.js';
import { EmailLogService } from '../../src/modules/delivery/application/email-log.service.js';
import { QueuedMessages } from '../../src/modules/delivery/application/queued-messages.js';
import { SendExchange } from '../../src/modules/delivery/application/send-exchange.js';
import { EMAIL_ORIGINS } from '../../src/modules/delivery/domain/email-origin.js';
import { NOTHING_RECORDED, type ClaimedSend } from '../../src/modules/delivery/domain/claimed-send.js';
import { LANES } from '../../src/modules/delivery/application/send-lanes.js';
import { Database } from '../../src/platform/database/database.js';
import { Presence } from '../../src/platform/database/presence.js';
import { startSending, type SendingApp } from './sending-app.js';

let database: TestDatabase;
let sink: MailSink;
let app: SendingApp;

beforeAll(async () => {
  database = await createTestDatabase();
  sink = await MailSink.start();
  app = await startSending(database, sink.url);
});

afterAll(async () => {
  await app.close();
  await sink.stop();
  await database.drop();
});

beforeEach(() => {
  sink.verdict = () => undefined;
  sink.mails.length = 0;
  app.outcomes.settledLogs.length = 0;
  // Whatever an earlier test has made of the server's reputation is over.
  app.clock.wind(HOUR);
});

async function oneMessage(contentType: 'transactional' | 'promotional' = 'transactional') {
  const scope = await app.workspace();
  const contactId = await app.contact(scope);
  await app.template(scope);
  return { scope, contactId, id: await app.enqueue(scope, { contactId, contentType }) };
}

/** What was announced, as `before > status`. */
const steps = (): string[] => app.outcomes.settledLogs.map(({ before, status }) => `${before} > ${status}`);

describe('a message that goes out', () => {
  test('carries its content, its addresses and its fixed Message-ID, and wakes its trip', async () => {
    const { scope, id } = await oneMessage();
    expect(await app.drain(scope)).toBe(false);

    const [mail] = sink.mails;
    const parsed = await MailSink.parse(mail!);
    expect(parsed.subject).toBe('Hello Ada');
    expect(parsed.html).toContain('<p>Hi Ada</p>');
    expect(parsed.text).toContain('Hi Ada');
    expect(parsed.from).toMatchObject({ address: 'hello@mail.localhost', name: 'Acme' });
    expect(parsed.replyTo?.[0]?.address).toBe('help@acme.test');
    expect(mail!.messageId).toBe(`<${id}@mail.localhost>`);
    expect(mail!.raw).toMatch(/^X-Waypost-Environment: live\r$/m);
    expect(mail!.raw).not.toMatch(/List-Unsubscribe/i);
    expect(await app.log(id)).toMatchObject({
      status: 'sent',
      attempts: 1,
      subject: 'Hello Ada',
      from_email: 'hello@mail.localhost',
      template_version: 3,
      sent_at: app.clock.now(),
      error_code: null,
    });
    const { origin_id: originId, contact_id: contactId } = await app.log(id);
    expect(app.outcomes.settledLogs).toEqual([
      {
        ...{ id, origin: 'trip', originId, originStep: 0, sourceId: null, contactId },
        ...{ contentType: 'transactional', before: 'sending', status: 'sent', at: app.clock.now() },
      },
    ]);
  });

  test('bears footer and one-click headers when it is commercial', async () => {
    const { scope } = await oneMessage('promotional');
    await app.drain(scope);
    const { html, text, headers } = await MailSink.parse(sink.mails[0]!);
    expect(html).toMatch(
      /Acme &amp; Söhne<br>1 Main St, Springfield IL 62701, US<br>.*Unsubscribe<\/a><\/div><\/body>/s,
    );
    expect(text).toContain('Acme & Söhne\n1 Main St, Springfield IL 62701, US\nUnsubscribe: http');
    const field = (name: string) => headers.find(({ key }) => key === name)?.value;
    expect(field('list-unsubscribe')).toMatch(/^<http:\/\/[^>]+\/v1\/public\/unsubscribe\?token=[\w-]+>$/);
    expect(field('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  });

  test('reads the trigger event, the latest events and the subject of its step', async () => {
    const scope = await app.workspace();
    const contactId = await app.contact(scope, { external_id: 'u1' });
    await app.template(scope, {
      body_html: '<p>{the Amount from the trigger event} {the Plan from the signed up event}</p>',
    });
    const trigger = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee1';
    await app.admin.query(
      `INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, occurred_at, received_at)
       VALUES ($1, $2, 'live', 'u1', 'purchase', '{"amount": 42}', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')`,
      [scope.workspaceId, trigger],
    );
    await app.admin.query(
      `INSERT INTO latest_events (workspace_id, environment, external_id, event_name, event_id, attributes, occurred_at)
       VALUES ($1, 'live', 'u1', 'signed_up', $2, '{"plan": "pro"}', '2025-06-01T00:00:00Z')`,
      [scope.workspaceId, '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee2'],
    );
    const options = { subject: "For {the user's First Name}" };
    await app.enqueue(scope, { contactId, triggerEventId: trigger, options });
    await app.drain(scope);
    const { html, subject } = await MailSink.parse(sink.mails[0]!);
    expect(html).toContain('<p>42 pro</p>');
    expect(subject).toBe('For Ada');
  });

  test('of the test environment goes to the sandbox, from its domain', async () => {
    const scope = await app.workspace({ live_at: null }, 'test');
    const contactId = await app.contact(scope);
    await app.template(scope);
    await app.enqueue(scope, { contactId });
    await app.drain(scope);
    expect(sink.mails[0]!.raw).toMatch(/^X-Waypost-Environment: test\r$/m);
    expect(sink.mails[0]!.from).toBe('hello@sandbox.mail.localhost');
  });

  test.each(EMAIL_ORIGINS)('of origin %s goes out once, however often it is asked for', async (origin) => {
    const { scope, contactId } = await oneMessage();
    const originId = uuidv7(app.clock.now().getTime());
    await app.enqueue(scope, { contactId, origin, originId, originStep: 4 });
    await app.enqueue(scope, { contactId, origin, originId, originStep: 4 });
    await app.drain(scope);
    await app.drain(scope);
    expect(sink.mails).toHaveLength(2);
  });

  test('is one of each step, contact and origin that share an id', async () => {
    const { scope, contactId } = await oneMessage();
    const originId = uuidv7(app.clock.now().getTime());
    await app.enqueue(scope, { contactId, origin: 'campaign', originId });
    await app.enqueue(scope, { contactId: await app.contact(scope), origin: 'campaign', originId });
    await app.enqueue(scope, { contactId, origin: 'campaign', originId, originStep: 1 });
    await app.enqueue(scope, { contactId, origin: 'resend', originId });
    await app.drain(scope);
    expect(sink.mails).toHaveLength(5);
    expect(app.outcomes.settledLogs).toContainEqual(
      expect.objectContaining({ contactId, origin: 'campaign', originId, originStep: 1, status: 'sent' }),
    );
  });
});

describe('a message that must not go out', () => {
  test.each([
    ['workspace_suspended', { status: 'suspended' }, {}, {}],
    ['workspace_not_live', { live_at: null }, {}, {}],
    [
      'company_address_incomplete',
      { company: { name: 'Acme' } },
      {},
      { contentType: 'promotional' as const },
    ],
    ['unsubscribed', {}, { subscription_status: 'unsubscribed' }, {}],
    ['contact_deleted', {}, { subscription_status: 'deleted' }, {}],
    ['no_email_address', {}, { email: null }, {}],
  ])('%s', async (reason, workspace, contact, log) => {
    const scope = await app.workspace(workspace);
    const contactId = await app.contact(scope, contact);
    await app.template(scope);
    const id = await app.enqueue(scope, { contactId, ...log });
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'suppressed', suppressed_reason: reason });
    expect(sink.mails).toHaveLength(0);
    expect(app.outcomes.settledLogs).toHaveLength(1);
  });

  test('a required field without a value suppresses it, naming the field', async () => {
    const scope = await app.workspace();
    const contactId = await app.contact(scope);
    await app.template(scope, { body_html: "<p>{the user's Shoe Size, required}</p>" });
    const id = await app.enqueue(scope, { contactId });
    await app.drain(scope);
    const { status, suppressed_reason } = await app.log(id);
    expect(status).toBe('suppressed');
    expect(suppressed_reason).toMatch(/Shoe Size/);
  });

  test.each([
    ['in the body', { body_html: '<p>Hi «first name»</p>' }, {}],
    ['as entities', { body_html: '<p>Hi &laquo;first name&#xBB;</p>' }, {}],
    ['in the stored subject', { subject: 'Hi &#171;name' }, {}],
    ["in the step's subject", {}, { subject: 'Hi «first name»' }],
    ["as entities in the step's subject", {}, { subject: 'Hi &laquo;first name&raquo;' }],
  ])('a placeholder that was left %s fails it', async (_place, columns, options) => {
    const scope = await app.workspace();
    const contactId = await app.contact(scope);
    await app.template(scope, columns);
    const id = await app.enqueue(scope, { contactId, options });
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'failed', error_code: 'unresolved_placeholder' });
    expect(sink.mails).toHaveLength(0);
  });

  test('guillemets in the data are no placeholder', async () => {
    const scope = await app.workspace();
    const contactId = await app.contact(scope, { first_name: '«Ada»' });
    await app.template(scope);
    const id = await app.enqueue(scope, { contactId, options: { subject: "Hi {the user's First Name}" } });
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'sent', subject: 'Hi «Ada»' });
  });

  test('a poisoned message fails alone', async () => {
    const { scope, contactId } = await oneMessage();
    const missing = await app.enqueue(scope, { contactId, templateSlug: 'gone' });
    await app.template(scope, { slug: 'bad', body_html: "<p>{the user's Name, as }</p>" });
    const bad = await app.enqueue(scope, { contactId, templateSlug: 'bad' });
    // Nothing but a defect could bring such a row about.
    const broken = await app.enqueue(scope, { contactId });
    await app.admin.query(`UPDATE email_logs SET message_id = E'<a\\nb>' WHERE id = $1`, [broken]);
    await app.enqueue(scope, { contactId });
    await app.drain(scope);
    expect(await app.log(missing)).toMatchObject({ status: 'failed', error_code: 'template_not_found' });
    expect(await app.log(bad)).toMatchObject({ status: 'failed', error_code: 'template_errors' });
    expect(await app.log(broken)).toMatchObject({ status: 'failed', error_code: 'internal_error' });
    expect(sink.mails).toHaveLength(2);
  });
});

describe('what the server answers', () => {
  test('a temporary refusal is repeated later under the same Message-ID', async () => {
    const { scope, id } = await oneMessage();
    const offered: string[] = [];
    sink.verdict = ({ messageId }) => {
      offered.push(messageId);
      return offered.length < 3 ? { code: 451, text: 'Try again later' } : undefined;
    };
    await app.drain(scope);
    const log = await app.log(id);
    expect(log).toMatchObject({
      status: 'queued',
      attempts: 1,
      error_code: 'temporary',
      error_detail: '451 Try again later',
    });
    expect(log.next_attempt_at.getTime()).toBeGreaterThan(app.clock.now().getTime());
    expect(app.outcomes.settledLogs).toHaveLength(0);
    await app.drain(scope);
    expect(offered).toHaveLength(1);

    app.clock.wind(HOUR);
    await app.drain(scope);
    app.clock.wind(HOUR);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'sent', attempts: 3, error_detail: null });
    expect(new Set(offered).size).toBe(1);
    expect(sink.mails).toHaveLength(1);
  });

  test('refusals for more than a day end in failure', async () => {
    const { scope, id } = await oneMessage();
    sink.verdict = () => ({ code: 450, text: 'Mailbox busy' });
    for (let round = 0; round < 5; round++) {
      await app.drain(scope);
      app.clock.wind(DAY);
    }
    expect(await app.log(id)).toMatchObject({
      status: 'failed',
      error_code: 'gave_up',
      error_detail: '450 Mailbox busy',
    });
  });

  test('a permanent refusal is final, and its words are kept', async () => {
    const { scope, id } = await oneMessage();
    sink.verdict = () => ({ code: 550, text: 'No such user here' });
    await app.drain(scope);
    app.clock.wind(DAY);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error_code: 'rejected',
      error_detail: '550 No such user here',
    });
    expect(app.outcomes.settledLogs).toHaveLength(1);
  });

  test('a transactional message whose answer is lost goes out once more, under the same Message-ID', async () => {
    const { scope, id } = await oneMessage();
    sink.verdict = () => (sink.mails.length === 0 ? 'accept-and-drop' : undefined);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'queued', reissues: 1, error_code: 'unknown_fate' });
    app.clock.wind(HOUR);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'sent', reissues: 1, attempts: 2 });
    expect(new Set(sink.mails.map(({ messageId }) => messageId))).toEqual(
      new Set([`<${id}@mail.localhost>`]),
    );
    expect(sink.mails).toHaveLength(2);
  });

  test('and no more than once', async () => {
    const { scope, id } = await oneMessage();
    sink.verdict = () => 'drop';
    for (let round = 0; round < 4; round++) {
      await app.drain(scope);
      app.clock.wind(HOUR);
    }
    expect(await app.log(id)).toMatchObject({ status: 'unknown', attempts: 2 });
  });

  test('a promotional message whose answer is lost is not sent again', async () => {
    const { scope, id } = await oneMessage('promotional');
    sink.verdict = () => 'accept-and-drop';
    await app.drain(scope);
    app.clock.wind(DAY);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'unknown', attempts: 1 });
    expect(sink.mails).toHaveLength(1);
    expect(app.outcomes.settledLogs).toHaveLength(1);
  });

  test('a message of unknown fate is sent again by a person, and only such a one', async () => {
    const { scope, id } = await oneMessage('promotional');
    sink.verdict = () => 'drop';
    await app.drain(scope);
    sink.verdict = () => undefined;
    const service = app.module.get(EmailLogService, { strict: false });
    expect(await service.resendUnknown(scope, id)).toMatchObject({ id, status: 'queued' });
    await app.drain(scope);
    expect(steps()).toEqual(['sending > unknown', 'unknown > queued', 'sending > sent']);
    expect(await app.log(id)).toMatchObject({ status: 'sent', attempts: 2 });
    expect(sink.mails.map(({ messageId }) => messageId)).toEqual([`<${id}@mail.localhost>`]);
    await expect(service.resendUnknown(scope, id)).rejects.toMatchObject({ code: 'conflict' });
    const stranger = await app.workspace();
    await expect(service.resendUnknown(stranger, id)).rejects.toMatchObject({ code: 'email_log_not_found' });
  });

  test('a late word of a process that was believed dead still counts', async () => {
    const { scope, id } = await oneMessage('promotional');
    await app.admin.query(`UPDATE email_logs SET status = 'unknown', attempts = 1 WHERE id = $1`, [id]);
    const send = { id, attempts: 1, sender: 77 } as ClaimedSend;
    const word = (attempts: number) =>
      app.module
        .get(SendExchange)
        .exchange(
          scope,
          [{ send: { ...send, attempts }, outcome: { kind: 'sent' }, record: NOTHING_RECORDED }],
          0,
        );
    await word(2);
    expect(await app.log(id)).toMatchObject({ status: 'unknown' });
    await word(1);
    expect(await app.log(id)).toMatchObject({ status: 'sent' });
    await word(1);
    expect(steps()).toEqual(['unknown > sent']);
  });

  test('who is given up, put back and sent is announced at each step', async () => {
    const { scope, id } = await oneMessage();
    const queue = app.module.get(QueuedMessages, { strict: false });
    const database = app.module.get(Database);
    const now = app.clock.now();
    expect(await database.inScope(scope, (tx) => queue.takeOut(tx, scope, id, now))).toBe(true);
    expect(await database.inScope(scope, (tx) => queue.takeOut(tx, scope, id, now))).toBe(false);
    await database.inScope(scope, (tx) => queue.putBack(tx, scope, id, now));
    await database.inScope(scope, (tx) => queue.putBack(tx, scope, id, now));
    await app.drain(scope);
    expect(steps()).toEqual(['queued > failed', 'failed > queued', 'sending > sent']);
  });

  test('a server that is away burns no message and is not hammered', async () => {
    const own = await MailSink.start();
    const port = own.port;
    const away = await startSending(database, own.url);
    try {
      await own.stop();
      const scope = await away.workspace();
      await away.template(scope);
      for (let n = 0; n < 40; n++) await away.enqueue(scope, { contactId: await away.contact(scope) });
      expect(await away.drain(scope)).toBe(false);
      const touched = (await away.logs(scope)).filter(({ attempts }) => attempts > 0);
      expect(touched.length).toBeLessThanOrEqual(LANES);
      expect(new Set((await away.logs(scope)).map(({ status }) => status))).toEqual(new Set(['queued']));
      // One message at a time finds out whether the server is back.
      away.clock.wind(HOUR);
      await away.drain(scope);
      const attempts = (await away.logs(scope)).reduce((sum, log) => sum + log.attempts, 0);
      expect(attempts).toBe(touched.length + 1);

      await own.listen(port);
      away.clock.wind(HOUR);
      await away.drain(scope);
      expect(own.mails).toHaveLength(40);
      expect(new Set((await away.logs(scope)).map(({ status }) => status))).toEqual(new Set(['sent']));
    } finally {
      await away.close();
      await own.stop();
    }
  });
});

describe('lanes', () => {
  test('never more messages are in hand than there are lanes', async () => {
    const scope = await app.workspace();
    await app.template(scope);
    for (let n = 0; n < 3 * LANES; n++) await app.enqueue(scope, { contactId: await app.contact(scope) });
    const counts: number[] = [];
    let counting = Promise.resolve();
    const count = async (): Promise<void> => {
      const { rows } = await app.admin.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM email_logs WHERE status = 'sending' AND workspace_id = $1`,
        [scope.workspaceId],
      );
      counts.push(rows[0]?.n ?? 0);
    };
    sink.verdict = () => {
      counting = counting.then(count);
      return undefined;
    };
    expect(await app.drain(scope)).toBe(false);
    expect(sink.mails).toHaveLength(3 * LANES);
    await counting;
    expect(counts).toHaveLength(3 * LANES);
    expect(Math.max(...counts)).toBeLessThanOrEqual(LANES);
  });

  test('transactional messages go first', async () => {
    const scope = await app.workspace();
    await app.template(scope);
    const late: string[] = [];
    for (let n = 0; n < 2 * LANES; n++)
      await app.enqueue(scope, { contactId: await app.contact(scope), contentType: 'promotional' });
    for (let n = 0; n < LANES; n++)
      late.push(await app.enqueue(scope, { contactId: await app.contact(scope) }));
    await app.drain(scope);
    const first = sink.mails.slice(0, LANES).map(({ messageId }) => messageId);
    expect(new Set(first)).toEqual(new Set(late.map((id) => `<${id}@mail.localhost>`)));
  });

  test('a turn that is over ends at a message, with every fate stored', async () => {
    const scope = await app.workspace();
    await app.template(scope);
    for (let n = 0; n < 3 * LANES; n++) await app.enqueue(scope, { contactId: await app.contact(scope) });
    const { SenderService } = await import('../../src/modules/delivery/application/sender.service.js');
    let isOver = false;
    sink.verdict = () => {
      isOver = true;
      return undefined;
    };
    expect(await app.module.get(SenderService).drain(scope, () => !isOver)).toBe(true);
    const statuses = (await app.logs(scope)).map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual(['queued', 'sent']);
    expect(statuses.filter((status) => status === 'sent')).toHaveLength(sink.mails.length);
    await app.drain(scope);
    expect(sink.mails).toHaveLength(3 * LANES);
  });
});

describe('after a crash', () => {
  async function leftBehind(contentType: 'transactional' | 'promotional', sender: number) {
    const message = await oneMessage(contentType);
    await app.admin.query(
      `UPDATE email_logs SET status = 'sending', sender = $2, attempts = 1 WHERE id = $1`,
      [message.id, sender],
    );
    return message;
  }

  test.each([
    ['transactional', 'sent', 1],
    ['promotional', 'unknown', 0],
  ] as const)('a %s message of a process that is gone is %s', async (contentType, status, mails) => {
    const { scope, id } = await leftBehind(contentType, 1);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'sending' });
    app.clock.wind(2_000);
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status });
    expect(sink.mails).toHaveLength(mails);
  });

  test('a message of a process that lives is left alone', async () => {
    const other = await startSending(database, sink.url);
    try {
      const { scope, id } = await leftBehind('transactional', await other.module.get(Presence).number());
      app.clock.wind(HOUR);
      await app.drain(scope);
      expect(await app.log(id)).toMatchObject({ status: 'sending' });
    } finally {
      await other.close();
    }
  });

  test('a message that this process took without hearing so was never sent and simply goes out', async () => {
    const { scope, id } = await leftBehind('promotional', await app.module.get(Presence).number());
    await app.drain(scope);
    expect(await app.log(id)).toMatchObject({ status: 'sent', reissues: 0, attempts: 2 });
  });
});
