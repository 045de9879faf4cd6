/** How much of a plan is used, section 8.2: what members see, and the mails at 80% and 100%, each once a period. */
import pg from 'pg';
import { UsageRenewal } from '../../src/modules/limits/application/usage-renewal.js';
import { UsageNotices } from '../../src/modules/usage/application/usage-notices.js';
import { TENANTS_OVER_THRESHOLD } from '../../src/modules/usage/queue/usage.work.js';
import { Database } from '../../src/platform/database/database.js';
import { findTenants } from '../../src/platform/queue/poller.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { MailSink } from '../support/mail-sink.js';
import { until } from '../support/until.js';

const USAGE = `{ usage { plan periodStart periodEnd retentionDays limits { limitType environment current maximum percent }
  notices { limitType environment threshold current maximum at } } }`;
const MINUTE = 60_000;

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await app?.close();
});

const month = (): string => `${app.clock.now().toISOString().slice(0, 7)}-01`;
type Counter = 'emails' | 'events' | 'contacts';

/** Sets the usage. */
async function uses(
  { id }: TestWorkspace,
  counter: Counter,
  amount: number,
  environment = 'live',
): Promise<void> {
  if (counter === 'contacts') {
    await admin.query(
      `INSERT INTO contact_counts (workspace_id, environment, contacts) VALUES ($1, $2, $3)
       ON CONFLICT (workspace_id, environment) DO UPDATE SET contacts = $3`,
      [id, environment, amount],
    );
    return;
  }
  const [table, column] = counter === 'emails' ? ['monthly_emails', 'used'] : ['monthly_usage', 'events'];
  await admin.query(
    `INSERT INTO ${table} (workspace_id, environment, month, ${column}) VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace_id, environment, month) DO UPDATE SET ${column} = $4`,
    [id, environment, month(), amount],
  );
}

async function announcedNotices({ id }: TestWorkspace): Promise<string[]> {
  const { rows } = await admin.query<{ told: string }>(
    `SELECT concat_ws(' ', environment, limit_type, threshold) AS told FROM usage_notices
     WHERE workspace_id = $1 ORDER BY at, told`,
    [id],
  );
  return rows.map((row) => row.told);
}
async function mails({ id }: TestWorkspace): Promise<string[]> {
  const own = app.sink.mails.filter(({ raw }) => raw.includes(`Feedback-ID: usage:product:${id}:`));
  return Promise.all(own.map(async (mail) => `${mail.to[0]}: ${(await MailSink.parse(mail)).subject}`));
}
const shown = async (workspace: TestWorkspace): Promise<any> =>
  (await workspace.graphql(USAGE)).body.data.usage;

/** Advances the clock by a minute, and waits until the usage of all tenants has been checked and reported. */
async function look(): Promise<void> {
  const marker = await app.workspace({ plan: 'free' });
  await uses(marker, 'events', 10_000);
  await until('there was a look', async () => {
    app.clock.wind(MINUTE);
    return (await announcedNotices(marker)).length > 0;
  });
  const database = app.app.get(Database, { strict: false });
  await until('all are notified', async () => {
    const over = await findTenants(database, TENANTS_OVER_THRESHOLD, app.clock.now());
    return over.length === 0;
  });
}

test('every cap is shown with what is used of it, the environments apart where they count apart', async () => {
  const workspace = await app.workspace({ plan: 'starter' });
  await workspace.call('POST', '/v1/contacts', { external_id: 'a', email: 'a@example.com' });
  await workspace.call('POST', '/v1/contacts', { external_id: 'a' }, { 'x-api-key': workspace.testKey });
  await workspace.call('POST', '/v1/contacts', { external_id: 'b' }, { 'x-api-key': workspace.testKey });
  await uses(workspace, 'emails', 1_234);
  await uses(workspace, 'events', 5, 'test');
  await workspace.call('POST', '/v1/flows', {
    name: 'One',
    trigger_event: 'came',
    content_type: 'transactional',
    steps: [],
  });
  const { limits, ...usage } = await shown(workspace);
  expect(usage).toEqual({
    plan: 'starter',
    periodStart: `${month()}T00:00:00.000Z`,
    periodEnd: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
    retentionDays: 90,
    notices: [],
  });
  const row = (
    limitType: string,
    environment: string | null,
    current: number,
    maximum: number,
    percent: number,
  ) => ({
    ...{ limitType, environment, current, maximum, percent },
  });
  expect(limits).toEqual([
    row('emails', 'live', 1_234, 10_000, 12.34),
    row('events', 'live', 0, 100_000, 0),
    row('contacts', 'live', 1, 10_000, 0.01),
    row('emails', 'test', 0, 10_000, 0),
    row('events', 'test', 5, 100_000, 0.01),
    row('contacts', 'test', 2, 10_000, 0.02),
    row('api_keys', null, 2, 10, 20),
    row('members', null, 1, 3, 33.33),
    row('flows', null, 1, 25, 4),
  ]);
});

test('a plan without caps shows what is used, and nobody is told', async () => {
  const workspace = await app.workspace();
  await uses(workspace, 'events', 5_000_000_000);
  await look();
  const { limits, retentionDays, notices } = await shown(workspace);
  expect(limits.find(({ limitType }: any) => limitType === 'events')).toMatchObject({
    current: 5_000_000_000,
    maximum: null,
    percent: null,
  });
  expect([retentionDays, notices, await announcedNotices(workspace)]).toEqual([null, [], []]);
});

test('any member sees it, and no key', async () => {
  const workspace = await app.workspace({
    members: [
      { email: 'usage-owner@example.com', role: 'owner' },
      { email: 'usage-viewer@example.com', role: 'viewer' },
    ],
  });
  const authorization = `Bearer ${await app.token('usage-viewer@example.com')}`;
  const headers = { authorization, 'x-workspace-id': workspace.id };
  const asked = await app.request('POST', '/graphql', { query: USAGE }, headers);
  expect(asked.body.data.usage.plan).toBe('enterprise');
  const byKey = await workspace.call('POST', '/graphql', { query: USAGE });
  expect(byKey.body.data?.usage).toBeUndefined();
});

test('owner and admins are told at 80% and at 100%, not before, and once', async () => {
  const workspace = await app.workspace({
    plan: 'free',
    name: 'Filling',
    members: [
      { email: 'filling-owner@example.com', role: 'owner' },
      { email: 'filling-admin@example.com', role: 'admin' },
      { email: 'filling-viewer@example.com', role: 'viewer' },
    ],
  });
  await uses(workspace, 'emails', 799);
  await look();
  expect(await announcedNotices(workspace)).toEqual([]);
  await uses(workspace, 'emails', 800);
  await look();
  await look();
  await until('both are notified', async () => (await mails(workspace)).length === 2);
  const subject = 'Filling: 80% of this month’s emails are used';
  expect((await mails(workspace)).sort()).toEqual([
    `filling-admin@example.com: ${subject}`,
    `filling-owner@example.com: ${subject}`,
  ]);
  await uses(workspace, 'emails', 1_000);
  await look();
  await until('both are told again', async () => (await mails(workspace)).length === 4);
  // Usage that is returned and used again is not reported again.
  await uses(workspace, 'emails', 790);
  await look();
  await uses(workspace, 'emails', 1_000);
  await look();
  expect(await announcedNotices(workspace)).toEqual(['live emails 80', 'live emails 100']);
  const [sample] = app.sink.to('filling-owner@example.com').slice(-1);
  expect((await MailSink.parse(sample!)).text).toMatch(
    /has used 1,000 of the 1,000 emails included in the free plan per month/,
  );
  const token = await app.token('filling-viewer@example.com');
  const headers = { authorization: `Bearer ${token}`, 'x-workspace-id': workspace.id };
  const { body } = await app.request('POST', '/graphql', { query: USAGE }, headers);
  expect(body.data.usage.notices.map(({ at: _at, ...notice }: any) => notice)).toEqual([
    { limitType: 'emails', environment: 'live', threshold: 100, current: 1_000, maximum: 1_000 },
    { limitType: 'emails', environment: 'live', threshold: 80, current: 800, maximum: 1_000 },
  ]);
});

test('whoever crosses both at once is told of the higher one alone', async () => {
  const workspace = await app.workspace({ plan: 'free' });
  await uses(workspace, 'contacts', 1_000);
  await uses(workspace, 'events', 9_000, 'test');
  await look();
  await uses(workspace, 'contacts', 900);
  await look();
  expect((await announcedNotices(workspace)).sort()).toEqual(['live contacts 100', 'test events 80']);
});

test('each period anew: a month, a renewal, and another cap', async () => {
  const workspace = await app.workspace({ plan: 'free' });
  await uses(workspace, 'emails', 850);
  await look();
  expect(await announcedNotices(workspace)).toEqual(['live emails 80']);
  // After the renewal the counters restart, and so do the notices.
  const renewal = app.app.get(UsageRenewal, { strict: false });
  const scope = { workspaceId: workspace.id };
  await app.app.get(Database).inScope(scope, (tx) => renewal.renew(tx, scope, app.clock.now()));
  await look();
  const renewed = await shown(workspace);
  expect(renewed.notices).toEqual([]);
  expect(new Date(renewed.periodStart).getTime()).toBeGreaterThan(new Date(`${month()}T00:00:00Z`).getTime());
  await uses(workspace, 'emails', 850);
  await look();
  expect(await announcedNotices(workspace)).toEqual(['live emails 80', 'live emails 80']);
  // Another plan: first less than 80% are used, then 80%.
  await admin.query(`UPDATE workspaces SET plan = 'starter' WHERE id = $1`, [workspace.id]);
  await app.untilChangesHandled();
  await look();
  expect(await announcedNotices(workspace)).toHaveLength(2);
  await uses(workspace, 'emails', 8_000);
  await look();
  expect(await announcedNotices(workspace)).toHaveLength(3);
  app.clock.wind(32 * DAY);
  await look();
  expect(await announcedNotices(workspace)).toHaveLength(3);
  expect((await shown(workspace)).notices).toEqual([]);
  await uses(workspace, 'emails', 10_000);
  await look();
  expect(await announcedNotices(workspace)).toEqual([
    ...Array<string>(3).fill('live emails 80'),
    'live emails 100',
  ]);
});

test('once, however many processes look at the same time', async () => {
  const second = await bootApp({ on: app, queues: ['usage', 'notices'] });
  try {
    const workspaces = await Promise.all(Array.from({ length: 12 }, () => app.workspace({ plan: 'free' })));
    for (const workspace of workspaces) await uses(workspace, 'events', 8_000);
    const [one, other] = [app, second].map(({ app: house }) => house.get(UsageNotices, { strict: false }));
    await Promise.all(
      workspaces.flatMap(({ id }) => {
        const scope = { workspaceId: id, environment: 'live' } as const;
        return [one, other, one, other].map((looker) => looker!.announce(scope));
      }),
    );
    await look();
    for (const workspace of workspaces) {
      await until('the owner is told', async () => (await mails(workspace)).length > 0);
      expect(await announcedNotices(workspace)).toEqual(['live events 80']);
    }
    await look();
    expect((await Promise.all(workspaces.map(mails))).map(({ length }) => length)).toEqual(
      workspaces.map(() => 1),
    );
  } finally {
    await second.end();
  }
});

test('real mail that crosses the threshold is noticed', async () => {
  const workspace = await app.workspace({ plan: 'free' });
  await workspace.call('POST', '/v1/templates', {
    name: 'Hello',
    slug: 'hello',
    subject: 'Hello',
    body_html: '<p>Hello</p>',
  });
  await uses(workspace, 'emails', 798);
  for (const id of ['a', 'b']) {
    const to = { external_id: id, email: `${id}@example.com` };
    expect((await workspace.call('POST', '/v1/send', { template_slug: 'hello', to })).status).toBe(200);
  }
  await look();
  expect(await announcedNotices(workspace)).toEqual(['live emails 80']);
});
