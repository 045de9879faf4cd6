/** One message to many contacts, enqueued in one call. Each contact gets it once, even if the call is repeated. */
import { uuidv7 } from '../../src/kernel/uuid.js';
import { Outbox } from '../../src/modules/delivery/application/outbox.js';
import type { SharedMessage } from '../../src/modules/delivery/domain/email-log.js';
import { Database } from '../../src/platform/database/database.js';
import type { MailSink } from '../support/mail-sink.js';
import type { SendingApp } from './sending-app.js';
import { useFixture } from './sending-fixture.js';

let sink: MailSink;
let app: SendingApp;

useFixture((fixture) => ({ sink, app } = fixture));

const PEOPLE = 60;

test('each contact gets it once, and further ones get it when it is asked for again', async () => {
  const scope = await app.workspace();
  await app.template(scope);
  const people: string[] = [];
  for (let i = 0; i < PEOPLE; i++) people.push(await app.contact(scope));
  const source = uuidv7(app.clock.now().getTime());
  const message: SharedMessage = {
    sourceId: source,
    origin: 'campaign',
    originId: source,
    originStep: 0,
    templateSlug: 'welcome',
    contentType: 'promotional',
    options: { subject: "News for {the user's First Name}" },
  };
  const ask = (contactIds: readonly string[]): Promise<void> =>
    app.module.get(Database).inScope(scope, (tx) => {
      const now = app.clock.now();
      const recipients = contactIds.map((contactId) => ({ id: uuidv7(now.getTime()), contactId, at: now }));
      return app.module.get(Outbox).enqueueForEach(tx, scope, message, recipients, now);
    });
  await ask([]);
  await ask(people.slice(0, PEOPLE - 10));
  await ask(people);
  await app.drain(scope);

  const logs = await app.logs(scope);
  expect(logs.map(({ contact_id: id }) => id).sort()).toEqual([...people].sort());
  for (const log of logs)
    expect(log).toMatchObject({
      status: 'sent',
      origin_id: source,
      subject: 'News for Ada',
      message_id: `<${log.id}@mail.localhost>`,
    });
  expect(new Set(sink.mails.map(({ messageId }) => messageId)).size).toBe(PEOPLE);
  expect(sink.mails).toHaveLength(PEOPLE);
  const { rows } = await app.admin.query(
    `SELECT DISTINCT source_id, priority, counts, content_type, trigger_event_id, template_slug FROM email_logs
     WHERE workspace_id = $1`,
    [scope.workspaceId],
  );
  expect(rows).toEqual([
    {
      source_id: source,
      priority: 1,
      counts: false,
      content_type: 'promotional',
      trigger_event_id: null,
      template_slug: 'welcome',
    },
  ]);
});
