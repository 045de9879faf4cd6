/** Attempts to misuse members, keys, plans and the audit log, and their outcomes. */
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

const TEAM = '/v1/workspace/members';
const ADMIN = 'admin@acme.test';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;
let serial = 0;

beforeAll(async () => {
  app = await bootApp({
    env: { PAYMENT_WEBHOOK_SECRET: 'secret', BILLING_WEBHOOK_SECRET: 'second', PAYMENT_PLAN_PREFIX: 'plan_' },
  });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await app?.close();
});
beforeEach(async () => {
  workspace = await app.workspace();
  const invited = await app.request(
    'POST',
    `${TEAM}/invite`,
    { email: ADMIN, role: 'admin' },
    {
      authorization: `Bearer ${workspace.ownerToken}`,
      'x-workspace-id': workspace.id,
    },
  );
  expect((await as(ADMIN, 'POST', `${TEAM}/invitations/${invited.body.id}/accept`)).status).toBe(200);
});

const as = async (email: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  app.request(method, path, body, {
    authorization: `Bearer ${await app.token(email)}`,
    'x-workspace-id': workspace.id,
  });
const ask = (email: string, query: string): Promise<Answer> => as(email, 'POST', '/graphql', { query });
const codeOf = ({ body }: Answer): string => body.errors[0].extensions.code;
const planOf = async (of: TestWorkspace): Promise<string> =>
  (await admin.query<{ plan: string }>('SELECT plan FROM workspaces WHERE id = $1', [of.id])).rows[0]?.plan ??
  '';
async function worked(of: TestWorkspace, events: number): Promise<void> {
  await until('it is worked on', async () => {
    const { rowCount } = await admin.query(
      'SELECT FROM billing_events WHERE workspace_id = $1 AND processed_at IS NOT NULL',
      [of.id],
    );
    return rowCount === events;
  });
}
const ago = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();
const deliverPayment = (body: object): Promise<Answer> =>
  app.request('POST', '/v1/webhooks/payment', body, { 'x-webhook-secret': 'secret' });
function buy(of: TestWorkspace, id: string, attributes: object, custom: object = {}): Promise<Answer> {
  const text = JSON.stringify({
    meta: { event_name: 'subscription_created', custom_data: { workspace_id: of.id, ...custom } },
    data: { id, attributes: { status: 'active', customer_id: 999, updated_at: ago(5), ...attributes } },
  });
  const signature = createHmac('sha256', 'second').update(text).digest('hex');
  return app.request('POST', '/v1/webhooks/billing', text, { 'x-signature': signature });
}
const suspend = async (): Promise<void> => {
  await admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [workspace.id]);
  await until(
    'it is read-only',
    async () =>
      (await ask(ADMIN, 'mutation { goLive { live } }')).body.errors?.[0].extensions.code ===
      'workspace_suspended',
  );
};

describe('buyers', () => {
  test('have the plan that they paid for, whatever they say themselves', async () => {
    const buyer = await app.workspace({ plan: 'free' });
    await buy(buyer, `cheap${++serial}`, { variant_name: 'Starter' }, { plan: 'enterprise' });
    await worked(buyer, 1);
    expect(await planOf(buyer)).toBe('starter');
  });

  test('take nothing away that the operator gave, by buying less in its name', async () => {
    const given = await app.workspace({ plan: 'growth' });
    await buy(given, `less${++serial}`, { variant_name: 'Starter' });
    await worked(given, 1);
    const { rows } = await admin.query(
      'SELECT plan, payment_subscription_id AS id, payment_customer_id AS customer FROM workspaces WHERE id = $1',
      [given.id],
    );
    expect(rows).toEqual([{ plan: 'growth', id: null, customer: null }]);
    await buy(given, `more${serial}`, { variant_name: 'Enterprise' });
    await worked(given, 2);
    expect(await planOf(given)).toBe('enterprise');
  });
});

test('an event of a provider whose clock is ahead is one event, and comes in the order of its moments', async () => {
  const id = `ahead${++serial}`;
  const paid = await app.workspace({ plan: 'starter', payment_subscription_id: id });
  const paused = { event_type: 'subscription.paused', timestamp: ago(-4), data: { subscription_id: id } };
  const active = { event_type: 'subscription.active', timestamp: ago(-3), data: { subscription_id: id } };
  await deliverPayment(paused);
  await deliverPayment(active);
  await worked(paid, 2);
  const { rows } = await admin.query('SELECT status FROM workspaces WHERE id = $1', [paid.id]);
  expect(rows).toEqual([{ status: 'suspended' }]);
  await deliverPayment({ data: paused.data, timestamp: paused.timestamp, event_type: paused.event_type });
  const { rows: kept } = await admin.query('SELECT FROM billing_events WHERE workspace_id = $1', [paid.id]);
  expect(kept).toHaveLength(2);
});

test('of a key there are two at a time at most', async () => {
  const rotate = async (id: string): Promise<Answer> =>
    ask(ADMIN, `mutation { rotateApiKey(id: "${id}", overlapHours: 168) { apiKey { id } replaced { id } } }`);
  const { body } = await ask(
    ADMIN,
    'mutation { createApiKey(input: { name: "app", scope: data, environment: live }) { apiKey { id } } }',
  );
  const first = await rotate(body.data.createApiKey.apiKey.id);
  const { apiKey, replaced } = first.body.data.rotateApiKey;
  expect(codeOf(await rotate(apiKey.id))).toBe('conflict');
  await ask(ADMIN, `mutation { revokeApiKey(id: "${replaced.id}") { id } }`);
  expect((await rotate(apiKey.id)).body.errors).toBeUndefined();
});

test('who was deactivated while waiting for others changes no team any more', async () => {
  const holder = new pg.Client({ connectionString: app.adminUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`members ${workspace.id}`]);
    const invited = as(ADMIN, 'POST', `${TEAM}/invite`, { email: 'friend@evil.test', role: 'admin' });
    await until('the request waits', async () => {
      const { rowCount } = await admin.query(
        `SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()`,
      );
      return rowCount === 1;
    });
    await holder.query(`UPDATE members SET is_active = false WHERE workspace_id = $1 AND email = $2`, [
      workspace.id,
      ADMIN,
    ]);
    await holder.query('COMMIT');
    const { status, body } = await invited;
    expect([status, body.reason]).toEqual([403, 'missing_permission']);
  } finally {
    await holder.end();
  }
  const { rows } = await admin.query(`SELECT FROM members WHERE email = 'friend@evil.test'`);
  expect(rows).toEqual([]);
});

test('what was paid is in the log of changes for the owner alone', async () => {
  const id = `sub${++serial}`;
  await admin.query(`UPDATE workspaces SET plan = 'free' WHERE id = $1`, [workspace.id]);
  await deliverPayment({
    event_type: 'subscription.active',
    timestamp: ago(5),
    data: { subscription_id: id, plan_id: 'plan_starter', workspace_id: workspace.id },
  });
  await buy(workspace, id, { variant_name: 'Growth' });
  await until('it is noted', async () => {
    const { rowCount } = await admin.query(
      `SELECT FROM audit_log WHERE workspace_id = $1 AND action = 'billing_changed'`,
      [workspace.id],
    );
    return (rowCount ?? 0) > 0;
  });
  const log = '{ auditLog(first: 50) { edges { node { action before after } } } }';
  const sides = ({ body }: Answer): unknown =>
    body.data.auditLog.edges
      .map(({ node }: any) => node)
      .find(({ action }: any) => action === 'billing_changed');
  expect(sides(await ask(ADMIN, log))).toEqual({ action: 'billing_changed', before: null, after: null });
  expect(sides(await workspace.graphql(log))).toMatchObject({ after: { paymentSubscriptionId: id } });
});

describe('in a workspace that is read-only', () => {
  test('nobody joins, and no promotional mail is had go on', async () => {
    const email = `late${++serial}@acme.test`;
    const { body: invitation } = await as(ADMIN, 'POST', `${TEAM}/invite`, { email, role: 'viewer' });
    await suspend();
    const joined = await as(email, 'POST', `${TEAM}/invitations/${invitation.id}/accept`);
    expect([joined.status, joined.body.code]).toEqual([403, 'workspace_suspended']);
    expect(codeOf(await ask(ADMIN, 'mutation { resumePromotionalMail(note: "x") { __typename } }'))).toBe(
      'workspace_suspended',
    );
  });

  test('keys are shown', async () => {
    await suspend();
    expect((await ask(ADMIN, '{ apiKeys(first: 5) { edges { node { id } } } }')).body.errors).toBeUndefined();
  });
});

test('a change that changes nothing is not noted', async () => {
  const change = (): Promise<Answer> =>
    workspace.graphql('mutation { updateCompany(input: { name: "Acme Ltd" }) { id } }');
  expect((await change()).body.errors).toBeUndefined();
  const auditCount = async (): Promise<number | null> =>
    (await admin.query('SELECT FROM audit_log WHERE workspace_id = $1', [workspace.id])).rowCount;
  const before = await auditCount();
  await change();
  expect(await auditCount()).toBe(before);
});

test('nobody says that a workspace is being deleted, and takes it back', async () => {
  const mark = (at: string): Promise<unknown> =>
    admin.query(`UPDATE workspaces SET deletion_begun_at = ${at} WHERE id = $1`, [workspace.id]);
  await expect(mark('now()')).rejects.toThrow(/being deleted/);
  await admin.query(`UPDATE workspaces SET deletion_at = now() + interval '1 year' WHERE id = $1`, [
    workspace.id,
  ]);
  await mark('now()');
  await expect(mark('NULL')).rejects.toThrow(/being deleted/);
  await expect(
    admin.query('UPDATE workspaces SET deletion_at = NULL WHERE id = $1', [workspace.id]),
  ).rejects.toThrow(/being deleted/);
});

test.each(['/v1/webhooks/payment', '/v1/webhooks/billing', '/v1/workspace/members/invite'])(
  'more than %s ever needs is not read',
  async (path) => {
    const { status, body } = await app.request('POST', path, { text: 'x'.repeat(100_000) });
    expect([status, body.code]).toEqual([413, 'payload_too_large']);
  },
);
