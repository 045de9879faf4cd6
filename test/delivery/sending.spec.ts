/**
 * Messages from the ledger to a real SMTP server: what is sent and what must not be sent, section 2.3 and the
 * delivery rules.
 */
import { uuidv7 } from '../../src/kernel/uuid.js';
import { EMAIL_ORIGINS } from '../../src/modules/delivery/domain/email-origin.js';
import { HOUR } from '../support/clock.js';
import { MailSink } from '../support/mail-sink.js';
import { until } from '../support/until.js';
import type { SendingApp } from './sending-app.js';
import { useFixture } from './sending-fixture.js';

let sink: MailSink;
let app: SendingApp;

useFixture((fixture) => ({ sink, app } = fixture));

beforeEach(() => {
  sink.verdict = () => undefined;
  sink.mails.length = 0;
  app.outcomes.settledLogs.length = 0;
  // Resets what earlier tests did to the server's reputation.
  app.clock.wind(HOUR);
});

describe('a message that goes out', () => {
  test('carries its content, its addresses and its fixed Message-ID, and wakes its trip', async () => {
    const { scope, id } = await app.oneMessage();
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
        chargedAt: app.clock.now(),
        tracked: 0,
      },
    ]);
  });

  test('bears footer and one-click headers when it is commercial', async () => {
    const { scope } = await app.oneMessage('promotional');
    await app.drain(scope);
    const { html, text, headers } = await MailSink.parse(sink.mails[0]!);
    expect(html).toMatch(
      /Acme &amp; Söhne<br>1 Main St, Springfield IL 62701, US<br>.*Unsubscribe or change preferences<\/a><\/div><\/body>/s,
    );
    expect(text).toContain(
      'Acme & Söhne\n1 Main St, Springfield IL 62701, US\nUnsubscribe or change preferences: http',
    );
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
    const { scope, contactId } = await app.oneMessage();
    const originId = uuidv7(app.clock.now().getTime());
    await app.enqueue(scope, { contactId, origin, originId, originStep: 4 });
    await app.enqueue(scope, { contactId, origin, originId, originStep: 4 });
    await app.drain(scope);
    await app.drain(scope);
    expect(sink.mails).toHaveLength(2);
  });

  test('is one of each step, contact and origin that share an id', async () => {
    const { scope, contactId } = await app.oneMessage();
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

  test('while its workspace is suspended waits where it is, and goes once it is not', async () => {
    const scope = await app.workspace({ status: 'suspended' });
    await app.template(scope);
    const id = await app.enqueue(scope, { contactId: await app.contact(scope) });
    expect(await app.drain(scope)).toBe(false);
    expect(await app.log(id)).toMatchObject({ status: 'queued', attempts: 0 });
    await app.admin.query(`UPDATE workspaces SET status = 'active' WHERE id = $1`, [scope.workspaceId]);
    await until('it is known', async () => {
      await app.drain(scope);
      return (await app.log(id)).status === 'sent';
    });
    expect(sink.mails).toHaveLength(1);
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
    const { scope, contactId } = await app.oneMessage();
    const missing = await app.enqueue(scope, { contactId, templateSlug: 'gone' });
    await app.template(scope, { slug: 'bad', body_html: "<p>{the user's Name, as }</p>" });
    const bad = await app.enqueue(scope, { contactId, templateSlug: 'bad' });
    // Only a defect could produce such a row.
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
