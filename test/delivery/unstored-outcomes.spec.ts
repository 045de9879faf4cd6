/**
 * Outcomes that the ledger refuses to store. The process that knows the outcome keeps and retries it. The outcome
 * does not block other messages, survives a clean shutdown, and is ignored once another process has claimed the
 * message.
 */
import { SenderService } from '../../src/modules/delivery/application/sender.service.js';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { refusing } from '../dead-letters/dead-letters-fixture.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { HOUR } from '../support/clock.js';
import { MailSink } from '../support/mail-sink.js';
import { startSending, type SendingApp } from './sending-app.js';

/** PostgreSQL's code for a lock that is not available. */
const PASSING = '55P03';

let database: TestDatabase;
let sink: MailSink;
let app: SendingApp;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  sink = await MailSink.start();
  app = await startSending(database, sink.url);
});
afterEach(async () => {
  app.outcomes.onHearing = () => undefined;
  await app.admin.query('DROP FUNCTION IF EXISTS poison() CASCADE');
  await app.close();
  await sink.stop();
});

const sender = (): SenderService => app.module.get(SenderService);
const status = async (id: string): Promise<string> => (await app.log(id)).status;

/** A sent message whose outcome cannot be stored yet; `mend` removes the cause. */
async function resting(): Promise<{ scope: TenantScope; id: string; mend: () => Promise<void> }> {
  const scope = await app.workspace();
  await app.template(scope);
  const contactId = await app.contact(scope);
  const id = await app.enqueue(scope, { contactId });
  const when = `NEW.id = '${id}' AND NEW.status = 'sent'`;
  const mend = await refusing(app.admin, 'email_logs', when, 'UPDATE', PASSING);
  await app.drain(scope);
  expect([await status(id), sink.mails.length]).toEqual(['sending', 1]);
  return { scope, id, mend };
}

test('it says when it may be tried again, and is tried then', async () => {
  const { scope, id, mend } = await resting();
  const [waiting] = sender().unstoredTenants(app.clock.now());
  expect(waiting).toMatchObject({ workspace_id: scope.workspaceId });
  expect(waiting!.due_at.getTime()).toBeGreaterThan(app.clock.now().getTime());
  await mend();
  await app.drain(scope);
  expect(await status(id)).toBe('sending');
  app.clock.wind(HOUR);
  await app.drain(scope);
  expect([await status(id), sink.mails.length, sender().unstoredTenants(app.clock.now())]).toEqual([
    'sent',
    1,
    [],
  ]);
});

test('it gives back no lane that it does not hold, also while the server is away', async () => {
  const { scope, id, mend } = await resting();
  await mend();
  const next = await app.enqueue(scope, { contactId: await app.contact(scope) });
  const away = await app.workspace();
  await app.template(away);
  await app.enqueue(away, { contactId: await app.contact(away) });
  app.clock.wind(1_000);
  await sink.stop();
  await app.drain(away);
  sink = await MailSink.start(Number(new URL(app.config.smtpUrl!).port));
  // The lease expires while the outcome is stored.
  app.outcomes.onHearing = () => app.clock.wind(HOUR);
  for (let round = 0; round < 3; round++) await app.drain(scope);
  expect([await status(id), await status(next)]).toEqual(['sent', 'sent']);
});

test('an orderly end tries it once more, whatever its pause', async () => {
  const { id, mend } = await resting();
  await mend();
  await sender().storeRemaining();
  expect([await status(id), sink.mails.length]).toEqual(['sent', 1]);
});

test('once others have put the message back it counts for nothing, and the new attempt is stored', async () => {
  const { scope, id, mend } = await resting();
  // Simulates another process that considers this one dead.
  await app.admin.query(
    `UPDATE email_logs SET status = 'queued', sender = NULL, reissues = 1, next_attempt_at = $2 WHERE id = $1`,
    [id, app.clock.now()],
  );
  await mend();
  await app.drain(scope);
  expect([await status(id), sink.mails.length, sender().unstoredTenants(app.clock.now())]).toEqual([
    'sent',
    2,
    [],
  ]);
  app.clock.wind(HOUR);
  await app.drain(scope);
  expect([await status(id), sink.mails.length]).toEqual(['sent', 2]);
});
