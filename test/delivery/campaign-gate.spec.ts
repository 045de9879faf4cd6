/**
 * Messages of campaigns wait while their campaign is paused, are called off when it is over, and wait where a cap
 * stops them.
 */
import { uuidv7 } from '../../src/kernel/uuid.js';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { Outbox } from '../../src/modules/delivery/application/outbox.js';
import { monthOf } from '../../src/modules/limits/domain/plan.js';
import type { SharedMessage } from '../../src/modules/delivery/domain/email-log.js';
import { FrozenTemplates } from '../../src/modules/templates/application/frozen-templates.js';
import { Database } from '../../src/platform/database/database.js';
import type { MailSink } from '../support/mail-sink.js';
import { StubCampaignStates, type SendingApp } from './sending-app.js';
import { useFixture } from './sending-fixture.js';

let sink: MailSink;
let app: SendingApp;

useFixture((fixture) => ({ sink, app } = fixture));

/** Creates a campaign's messages to `count` contacts; returns the campaign's id. */
async function campaign(
  scope: TenantScope,
  people: number,
  more: Partial<SharedMessage> = {},
): Promise<string> {
  const now = app.clock.now();
  const id = uuidv7(now.getTime());
  const message: SharedMessage = {
    ...{ sourceId: id, origin: 'campaign', originId: id, originStep: 0, templateSlug: 'welcome' },
    ...{ contentType: 'promotional', options: {}, ...more },
  };
  const contactIds: string[] = [];
  for (let i = 0; i < people; i++) contactIds.push(await app.contact(scope));
  const recipients = contactIds.map((contactId) => ({ id: uuidv7(now.getTime()), contactId, at: now }));
  await app.module
    .get(Database)
    .inScope(scope, (tx) => app.module.get(Outbox).enqueueForEach(tx, scope, message, recipients, now));
  return id;
}
const statuses = async (scope: TenantScope): Promise<string[]> =>
  (await app.logs(scope)).map(({ status }) => status);
const held = async (scope: TenantScope): Promise<(string | null)[]> => {
  const { rows } = await app.admin.query<{ waits_for: string | null }>(
    'SELECT waits_for FROM email_logs WHERE workspace_id = $1',
    [scope.workspaceId],
  );
  return rows.map(({ waits_for: gate }) => gate);
};

test('no message of a paused campaign begins, and those of another go', async () => {
  const scope = await app.workspace();
  await app.template(scope);
  const paused = await campaign(scope, 3);
  app.module.get(StubCampaignStates).states.set(paused, 'paused');
  await app.drain(scope);
  expect(await statuses(scope)).toEqual(['queued', 'queued', 'queued']);
  expect(await held(scope)).toEqual(['campaign_pause', 'campaign_pause', 'campaign_pause']);
  await campaign(scope, 2);
  await app.drain(scope);
  expect((await statuses(scope)).sort()).toEqual(['queued', 'queued', 'queued', 'sent', 'sent']);
});

test('messages of a campaign that is over are called off, and told of', async () => {
  const scope = await app.workspace();
  await app.template(scope);
  const over = await campaign(scope, 3);
  app.module.get(StubCampaignStates).states.set(over, 'over');
  await app.drain(scope);
  expect(await statuses(scope)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  const reported = app.outcomes.settledLogs.filter(({ sourceId }) => sourceId === over);
  expect(reported.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
});

test('where the month has no room left, messages wait and their campaign is told, while others are suppressed', async () => {
  const scope = await app.workspace({ plan: 'free' });
  await app.template(scope);
  const room = 2;
  const id = await campaign(scope, 5);
  await app.admin.query(
    `INSERT INTO monthly_emails (workspace_id, environment, month, used) VALUES ($1, $2, $3, $4)`,
    [scope.workspaceId, scope.environment, monthOf(app.clock.now()), 1_000 - room],
  );
  await app.drain(scope);
  expect((await statuses(scope)).sort()).toEqual(['queued', 'queued', 'queued', 'sent', 'sent']);
  expect((await held(scope)).filter((gate) => gate === 'campaign_pause')).toHaveLength(3);
  expect(app.module.get(StubCampaignStates).stops.get(id)).toBe('plan_limit_reached');
  await app.enqueue(scope, { contactId: await app.contact(scope) });
  await app.drain(scope);
  expect(
    (await app.logs(scope)).filter(({ suppressed_reason: why }) => why === 'plan_limit_reached'),
  ).toHaveLength(1);
});

test('what was frozen is sent, from the sender that was asked for, whatever becomes of the template', async () => {
  const scope = await app.workspace();
  await app.template(scope, { slug: 'news', subject: 'Before', version: 3 });
  const { rows } = await app.admin.query<{ id: string }>(
    `SELECT id FROM templates WHERE workspace_id = $1 AND slug = 'news'`,
    [scope.workspaceId],
  );
  const frozen = await app.module
    .get(Database)
    .inScope(scope, (tx) =>
      app.module.get(FrozenTemplates).freeze(tx, scope, rows[0]?.id ?? '', app.clock.now()),
    );
  expect(frozen).toMatchObject({ slug: 'news', subject: 'Before', version: 3 });
  await app.admin.query(`DELETE FROM templates WHERE workspace_id = $1`, [scope.workspaceId]);
  const options = { frozenTemplateId: frozen?.id ?? '', sender: { fromName: 'Ada of Acme' } };
  await campaign(scope, 1, { templateSlug: 'news', options });
  await app.drain(scope);
  const [log] = await app.logs(scope);
  expect(log).toMatchObject({ status: 'sent', subject: 'Before', template_version: 3 });
  const mail = sink.mails.find(({ messageId }) => messageId === log?.message_id);
  expect(String(mail?.raw)).toMatch(/^From: "?Ada of Acme"? </m);
});
