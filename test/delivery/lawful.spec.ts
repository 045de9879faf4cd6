/**
 * Whatever is combined of what a decision looks at (section 4.10, going live, the monthly cap): what arrives at an SMTP server
 * is lawful, and what does not arrive has one reason in its log. Run for messages of every origin.
 */
import fc from 'fast-check';
import type { NewEmailLog } from '../../src/modules/delivery/domain/email-log.js';
import { EMAIL_ORIGINS } from '../../src/modules/delivery/domain/email-origin.js';
import { Suppressions } from '../../src/modules/suppressions/application/suppressions.js';
import { Database } from '../../src/platform/database/database.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';
import '../support/property-seed.js';
import { startSending, type SendingApp } from './sending-app.js';

let database: TestDatabase;
let outside: MailSink;
let sandbox: MailSink;
let app: SendingApp;

beforeAll(async () => {
  database = await createTestDatabase();
  [outside, sandbox] = [await MailSink.start(), await MailSink.start()];
  app = await startSending(database, outside.url, sandbox.url);
});
afterAll(async () => {
  await app.close();
  await outside.stop();
  await sandbox.stop();
  await database.drop();
});

const COMPANY = { name: 'Acme', address_line1: '1 Main St', city: 'X', postal_code: '1', country: 'US' };
const BODIES = {
  whole: '<html><body><p>Hello</p></body></html>',
  part: '<p>Hello</p>',
  required: '<p>{the Order from the trigger event, required}</p>',
  placeholder: '<p>«name»</p>',
};

const CASES = fc.record({
  environment: fc.constantFrom('live' as const, 'live' as const, 'test' as const),
  contentType: fc.constantFrom('promotional' as const, 'promotional' as const, 'transactional' as const),
  origin: fc.constantFrom(...EMAIL_ORIGINS.filter((origin) => origin !== 'resend')),
  isLive: weighted(true, false),
  isSuspended: weighted(false, true),
  isBeyondCap: weighted(false, true),
  company: weighted<object>(COMPANY, { ...COMPANY, city: ' ' }),
  fromEmail: weighted('hello@acme.test', 'nobody'),
  status: weighted('subscribed', 'unsubscribed', 'deleted'),
  email: weighted<'good' | 'bad' | 'none'>('good', 'bad', 'none'),
  isListed: weighted(false, true),
  sendToUnsubscribed: weighted(false, true),
  body: weighted<keyof typeof BODIES>('whole', 'part', 'required', 'placeholder'),
  text: fc.constantFrom('Hello', ''),
  isActive: weighted(true, false),
});

/** Mostly the first, so that messages do arrive. */
function weighted<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    ...others.map((other) => ({ weight: 1, arbitrary: fc.constant(other) })),
  );
}

test('what arrives is lawful, and what does not has its reason', async () => {
  let [arrived, promotional] = [0, 0];
  await fc.assert(
    fc.asyncProperty(CASES, async (given) => {
      outside.mails.length = 0;
      sandbox.mails.length = 0;
      const { log, scope } = await attempt(given);
      const other = given.environment === 'live' ? sandbox : outside;
      const { mails } = given.environment === 'live' ? outside : sandbox;
      expect(other.mails).toEqual([]);
      expect(mails).toHaveLength(log.status === 'sent' ? 1 : 0);
      if (log.status !== 'sent') {
        expect(['suppressed', 'failed']).toContain(log.status);
        expect(log.status === 'failed' ? log.error_code : log.suppressed_reason).toEqual(expect.any(String));
        return;
      }
      arrived++;
      expect(given).toMatchObject({ isSuspended: false, isBeyondCap: false, isListed: false, email: 'good' });
      expect(given.status).not.toBe('deleted');
      if (given.status === 'unsubscribed') expect(given.sendToUnsubscribed).toBe(true);
      if (scope.environment === 'live') expect(given.isLive).toBe(true);
      if (given.contentType === 'transactional') return;
      promotional++;
      expect(given.company).toBe(COMPANY);
      const { raw } = mails[0]!;
      const [, url] = /^List-Unsubscribe: ?(?:\r\n )?<([^>]+)>/m.exec(raw) ?? [];
      expect(url).toMatch(/^http/);
      expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
      const { html = '', text = '' } = await MailSink.parse(mails[0]!);
      for (const part of given.text === '' ? [html] : [html, text]) {
        expect(part.split('1 Main St')).toHaveLength(2);
        expect(part.replaceAll('&amp;', '&')).toContain(url);
      }
    }),
    { numRuns: 250 },
  );
  // It has been about something.
  expect([arrived > 20, promotional > 10]).toEqual([true, true]);
});

type Case = typeof CASES extends fc.Arbitrary<infer Made> ? Made : never;

async function attempt(given: Case) {
  const scope = await app.workspace(
    {
      company: given.company,
      sender: { from_email: given.fromEmail, from_name: 'Acme' },
      live_at: given.isLive ? app.clock.now() : null,
      status: given.isSuspended ? 'suspended' : 'active',
      ...(given.isBeyondCap ? { plan: 'free' } : {}),
    },
    given.environment,
  );
  const month = `${app.clock.now().toISOString().slice(0, 7)}-01`;
  if (given.isBeyondCap)
    await app.admin.query(
      'INSERT INTO monthly_emails (workspace_id, environment, month, used) VALUES ($1, $2, $3, 1000)',
      [scope.workspaceId, scope.environment, month],
    );
  const address = { good: 'ada@example.com', bad: 'ada@', none: null }[given.email];
  const contactId = await app.contact(scope, { email: address, subscription_status: given.status });
  if (given.isListed && address !== null) await list(scope.workspaceId, scope.environment, address);
  await app.template(scope, {
    body_html: BODIES[given.body],
    body_text: given.body === 'required' ? '' : given.text,
    is_active: given.isActive,
  });
  const message: Partial<NewEmailLog> & { contactId: string } = {
    contactId,
    contentType: given.contentType,
    origin: given.origin,
    options: { emailSendSettings: { sendToUnsubscribed: given.sendToUnsubscribed } },
  };
  const id = await app.enqueue(scope, message);
  await app.drain(scope);
  return { scope, log: await app.log(id) };
}

async function list(workspaceId: string, environment: 'live' | 'test', email: string): Promise<void> {
  const scope = { workspaceId, environment };
  const suppression = { email, reason: 'manual' as const, since: app.clock.now(), by: 'test' };
  const whole = { ...suppression, note: null, emailLogId: null, contactId: null };
  await app.module
    .get(Database)
    .inScope(scope, (tx) => app.module.get(Suppressions, { strict: false }).add(tx, scope, [whole]));
}
