/** The monthly cap of emails, section 8.2 (gate R16): exact for every kind of send, and what counts toward it. */
import pg from 'pg';
import { UsageRenewal } from '../../src/modules/limits/application/usage-renewal.js';
import { Database } from '../../src/platform/database/database.js';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;
/** Emails of the free plan in a month. */
const CAP = 1_000;

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
});

/** Creates a workspace of the free plan with this many emails already used in the month. */
async function capped(used: number, environment = 'live'): Promise<TestWorkspace> {
  const workspace = await app.workspace({ plan: 'free' });
  const template = { name: 'Hello', slug: 'hello', subject: 'Hello', body_html: '<p>Hello</p>' };
  expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
  await admin.query(
    'INSERT INTO monthly_emails (workspace_id, environment, month, used) VALUES ($1, $2, $3, $4)',
    [workspace.id, environment, `${app.clock.now().toISOString().slice(0, 7)}-01`, used],
  );
  return workspace;
}

const send = (
  workspace: TestWorkspace,
  externalId: string,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const to = { external_id: externalId, email: `${externalId}@example.com` };
  return workspace.call('POST', '/v1/send', { template_slug: 'hello', to, ...body }, headers);
};

async function used(workspace: TestWorkspace): Promise<number> {
  const { rows } = await admin.query<{ used: number }>(
    `SELECT used::int FROM monthly_emails WHERE workspace_id = $1 AND environment = 'live' ORDER BY month DESC LIMIT 1`,
    [workspace.id],
  );
  return rows[0]?.used ?? 0;
}

/** Counts messages by status and reason. */
async function fates(workspace: TestWorkspace): Promise<Record<string, number>> {
  const { rows } = await admin.query<{ fate: string; n: number }>(
    `SELECT concat_ws(' ', status, suppressed_reason) AS fate, count(*)::int AS n FROM email_logs
     WHERE workspace_id = $1 GROUP BY 1`,
    [workspace.id],
  );
  return Object.fromEntries(rows.map(({ fate, n }) => [fate, n]));
}

const settled = (workspace: TestWorkspace, expected: Record<string, number>): Promise<void> =>
  until(
    `messages are ${JSON.stringify(expected)}`,
    async () => {
      const found = await fates(workspace);
      return Object.entries(expected).every(([fate, n]) => found[fate] === n);
    },
    () => fates(workspace),
  );

test('of fifty direct sends at once, five before the cap, five are taken and the others refused', async () => {
  const workspace = await capped(CAP - 5);
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => send(workspace, `d${n}`)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  const refused = answers.filter(({ status }) => status === 403);
  expect(refused).toHaveLength(45);
  expect(refused[0]?.body).toMatchObject({
    ...{ code: 'plan_limit_reached', limit_type: 'emails', current: CAP, maximum: CAP, plan: 'free' },
  });
  await settled(workspace, { sent: 5 });
  expect([await fates(workspace), await used(workspace)]).toEqual([{ sent: 5 }, CAP]);
});

test('suppressed messages count as sent ones do', async () => {
  const workspace = await capped(CAP - 2);
  await workspace.call('POST', '/v1/contacts', { external_id: 'off', email: 'off@example.com' });
  await admin.query(`UPDATE contacts SET subscription_status = 'unsubscribed' WHERE workspace_id = $1`, [
    workspace.id,
  ]);
  const promotional = { content_type: 'promotional' };
  expect((await send(workspace, 'off', promotional)).body.status).toBe('suppressed');
  expect((await send(workspace, 'off', promotional)).body.status).toBe('suppressed');
  expect((await send(workspace, 'off', promotional)).status).toBe(403);
  expect(await used(workspace)).toBe(CAP);
});

test('a refusal stores nothing, and leaves the idempotency key free', async () => {
  const workspace = await capped(CAP);
  expect((await send(workspace, 'new', { idempotency_key: 'k' })).status).toBe(403);
  expect((await workspace.call('GET', '/v1/contacts/new')).status).toBe(404);
  app.clock.wind(32 * DAY);
  expect((await send(workspace, 'new', { idempotency_key: 'k' })).status).toBe(200);
});

test('what the server refuses for good counts no more', async () => {
  const workspace = await capped(CAP - 1);
  app.sink.verdict = () => ({ code: 550, text: '5.1.1 no such user' });
  expect((await send(workspace, 'bad')).status).toBe(200);
  await settled(workspace, { failed: 1 });
  expect(await used(workspace)).toBe(CAP - 1);
  app.sink.verdict = () => undefined;
  expect((await send(workspace, 'good')).status).toBe(200);
  await settled(workspace, { sent: 1 });
  expect((await send(workspace, 'more')).status).toBe(403);
});

test('messages of trips take what is left, are suppressed beyond it, and their trips go on', async () => {
  const workspace = await capped(CAP - 3);
  const flow = {
    name: 'Hello',
    trigger_event: 'came',
    content_type: 'transactional',
    steps: [{ type: 'send_email', template_slug: 'hello' }],
  };
  const { body } = await workspace.call('POST', '/v1/flows', flow);
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  const events = Array.from({ length: 20 }, (_, n) => ({
    ...{ external_id: `t${n}`, event_name: 'came', contact: { email: `t${n}@example.com` } },
  }));
  expect((await workspace.call('POST', '/v1/events/batch', { events })).body.accepted).toBe(20);
  await settled(workspace, { sent: 3, 'suppressed plan_limit_reached': 17 });
  expect(await used(workspace)).toBe(CAP);
  await until('trips are over', async () => {
    const trips = await workspace.call('GET', `/v1/flows/${body.id}/trips?status=completed`);
    return trips.body.total === 20;
  });
  expect((await send(workspace, 'late')).status).toBe(403);
});

test('each environment has the cap for itself, and each month; a renewal begins anew', async () => {
  const workspace = await capped(CAP);
  expect((await send(workspace, 'a')).status).toBe(403);
  expect((await send(workspace, 'a', {}, { 'x-api-key': workspace.testKey })).status).toBe(200);
  const renewal = app.app.get(UsageRenewal, { strict: false });
  await app.app
    .get(Database)
    .inScope({ workspaceId: workspace.id }, (tx) =>
      renewal.renew(tx, { workspaceId: workspace.id }, app.clock.now()),
    );
  expect(await used(workspace)).toBe(0);
  app.clock.wind(1);
  expect((await send(workspace, 'a')).status).toBe(200);
  expect(await used(workspace)).toBe(1);
});

test('what was charged before a renewal and fails after it gives nothing back', async () => {
  const workspace = await capped(CAP - 1);
  app.sink.verdict = () => ({ code: 451, text: '4.3.0 later' });
  expect((await send(workspace, 'slow')).status).toBe(200);
  await until('it was tried', async () => {
    const { rows } = await admin.query('SELECT 1 FROM email_logs WHERE workspace_id = $1 AND attempts > 0', [
      workspace.id,
    ]);
    return rows.length > 0;
  });
  app.clock.wind(1);
  const renewal = app.app.get(UsageRenewal, { strict: false });
  await app.app
    .get(Database)
    .inScope({ workspaceId: workspace.id }, (tx) =>
      renewal.renew(tx, { workspaceId: workspace.id }, app.clock.now()),
    );
  app.clock.wind(1);
  app.sink.verdict = () => ({ code: 550, text: '5.1.1 no such user' });
  expect((await send(workspace, 'next')).status).toBe(200);
  app.clock.wind(DAY / 24);
  await settled(workspace, { failed: 2 });
  expect(await used(workspace)).toBe(0);
});

test('a plan without a cap counts what it sends', async () => {
  const workspace = await app.workspace();
  const template = { name: 'Hello', slug: 'hello', subject: 'Hello', body_html: '<p>Hello</p>' };
  await workspace.call('POST', '/v1/templates', template);
  await Promise.all(Array.from({ length: 40 }, (_, n) => send(workspace, `u${n}`)));
  await workspace.call('POST', '/v1/send', { template_slug: 'hello', to: { external_id: 'nobody' } });
  await settled(workspace, { sent: 40, 'suppressed no_email_address': 1 });
  expect(await used(workspace)).toBe(41);
});
