/** Webhooks of payment providers over HTTP and their effect on workspaces: sections 3.5, 4.6, 6.1 and 6.2, gate R9. */
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { BillingReplay } from '../../src/modules/billing/application/billing-replay.js';
import { CustomerLinks } from '../../src/modules/billing/application/customer-links.js';
import { OPERATOR_AUTHOR } from '../../src/kernel/principal.js';
import { Metrics } from '../../src/platform/telemetry/metrics.js';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { MINUTE } from '../support/clock.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp({
    env: {
      PAYMENT_WEBHOOK_SECRET: 'old secret, ,new secret',
      BILLING_WEBHOOK_SECRET: 'second provider',
      PAYMENT_PLAN_PREFIX: 'vendor_',
    },
  });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

let serial = 0;
const subscribed = async (overrides: object = {}) => {
  const n = ++serial;
  const ids = { payment_subscription_id: `sub_${n}`, payment_customer_id: `cus_${n}` };
  const workspace = await app.workspace({ plan: 'starter', ...ids, ...overrides });
  return { workspace, subscription_id: `sub_${n}`, customer_id: `cus_${n}` };
};

const moment = (n: number): string => new Date(Date.UTC(2026, 0, 1, n)).toISOString();

const deliver = (body: unknown, secret = 'new secret'): Promise<Answer> =>
  app.request('POST', '/v1/webhooks/payment', body, { 'x-webhook-secret': secret });

const deliverEvent = (event_type: string, data: object, at = ++serial): Promise<Answer> =>
  deliver({ event_type, timestamp: moment(at), data: { amount: 4900, currency: 'EUR', ...data } });

interface Record {
  readonly plan: string;
  readonly status: string;
  readonly suspended_reason: string | null;
  readonly payment_subscription_id: string | null;
}

async function record(of: TestWorkspace): Promise<Record> {
  const { rows } = await admin.query<Record>(
    'SELECT plan, status, suspended_reason, payment_subscription_id FROM workspaces WHERE id = $1',
    [of.id],
  );
  return rows[0] as Record;
}

const becomes = (of: TestWorkspace, expected: Partial<Record>): Promise<void> =>
  until(`the workspace is ${JSON.stringify(expected)}`, async () => {
    const present = await record(of);
    return Object.entries(expected).every(([name, value]) => present[name as keyof Record] === value);
  });

/** Waits until no work of the workspace is pending. */
const settled = (of: TestWorkspace): Promise<void> =>
  until('all is worked on', async () => {
    const { rows } = await admin.query(
      'SELECT 1 FROM billing_events WHERE workspace_id = $1 AND processed_at IS NULL',
      [of.id],
    );
    return rows.length === 0;
  });

async function used(of: TestWorkspace): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    'SELECT coalesce(sum(events), 0)::int AS n FROM monthly_usage WHERE workspace_id = $1',
    [of.id],
  );
  return rows[0]?.n ?? 0;
}

async function use(of: TestWorkspace): Promise<void> {
  const before = await used(of);
  await of.call('POST', '/v1/events', { external_id: 'x', event_name: 'used' });
  await until('the use is counted', async () => (await used(of)) === before + 1);
}

const failures = async (): Promise<number> => {
  const { values } = await app.app.get(Metrics).billingFailures.get();
  return values.reduce((sum, { value }) => sum + value, 0);
};

/** A failure of processing is counted once its transaction has been committed. */
async function failuresBecome(count: number): Promise<void> {
  await until('the failures are counted', async () => (await failures()) >= count);
  expect(await failures()).toBe(count);
}

describe('who may tell', () => {
  test('each of the secrets opens, anything else is refused and changes nothing', async () => {
    const { workspace, subscription_id } = await subscribed();
    const body = { event_type: 'subscription.cancelled', timestamp: moment(1), data: { subscription_id } };
    for (const secret of ['', ' ', 'new secre', 'New secret', 'old secret, ,new secret', 'x'.repeat(5_000)]) {
      const { status, body: answer } = await deliver(body, secret);
      expect([status, typeof answer.detail]).toEqual([401, 'string']);
    }
    expect((await app.request('POST', '/v1/webhooks/payment', body)).status).toBe(401);
    const { rows } = await admin.query('SELECT 1 FROM billing_events WHERE workspace_id = $1', [
      workspace.id,
    ]);
    expect(rows).toEqual([]);
    for (const secret of ['old secret', 'new secret'])
      expect(await deliver(body, secret)).toMatchObject({
        status: 200,
        body: { received: true, event_type: 'subscription.cancelled' },
      });
    await becomes(workspace, { plan: 'free' });
  });

  test('whatever an authenticated call brings is answered 200 and kept', async () => {
    const before = await failures();
    for (const [body, type] of [
      ['{"event_type":', null],
      ['[]', null],
      ['{}', null],
      ['{"event_type":7}', null],
      ['"text"', null],
      [{ event_type: 'invoice.created', data: { customer_id: `nobody ${++serial}` } }, 'invoice.created'],
      [{ event_type: 'subscription.active', data: 'none' }, 'subscription.active'],
      [
        { event_type: 'subscription.active', timestamp: 'never', data: { plan_id: { a: 1 } } },
        'subscription.active',
      ],
    ])
      expect(await deliver(body)).toMatchObject({ status: 200, body: { received: true, event_type: type } });
    expect(await failures()).toBe(before + 8);
    const large = await deliver({ event_type: 'x', data: { text: 'x'.repeat(70_000) } });
    expect(large.status).toBe(413);
  });
});

describe('section 6.1, row by row', () => {
  test.each(['subscription.activated', 'subscription.active'])('%s', async (type) => {
    const [subscription_id, customer_id] = [`new_${++serial}`, `new_cus_${serial}`];
    const workspace = await app.workspace({ plan: 'free', payment_customer_id: customer_id });
    await deliverEvent(type, { subscription_id, customer_id, plan_id: 'vendor_growth' });
    await becomes(workspace, { plan: 'growth', status: 'active', payment_subscription_id: subscription_id });
    // Every process receives the change immediately.
    await until('limits follow', async () => {
      const { headers } = await workspace.call('GET', '/v1/templates');
      return headers.get('x-ratelimit-limit') === '1000';
    });
    const { body } = await workspace.graphql(
      '{ billing { plan status paymentSubscriptionId } auditLog(first: 1) { edges { node { action actor before after } } } billingEvents(first: 5) { edges { node { type plan failure } } } }',
    );
    expect(body.data.billing).toEqual({
      plan: 'growth',
      status: 'active',
      paymentSubscriptionId: subscription_id,
    });
    expect(body.data.auditLog.edges[0].node).toMatchObject({
      ...{ action: 'billing_changed', actor: 'billing' },
      ...{ before: { plan: 'free' }, after: { plan: 'growth' } },
    });
    expect(body.data.billingEvents.edges).toEqual([{ node: { type, plan: 'growth', failure: null } }]);
  });

  test('subscription.renewed: counters begin anew, once, and the plan is updated', async () => {
    const { workspace, ...ids } = await subscribed();
    await use(workspace);
    const renewal = {
      event_type: 'subscription.renewed',
      timestamp: moment(++serial),
      data: { ...ids, plan_id: 'vendor_growth', current_period_start: moment(serial) },
    };
    await deliver(renewal);
    await becomes(workspace, { plan: 'growth' });
    expect(await used(workspace)).toBe(0);
    await use(workspace);
    await deliver(renewal);
    // The same renewal with another timestamp.
    await deliver({ ...renewal, timestamp: moment(++serial) });
    await settled(workspace);
    expect(await used(workspace)).toBe(1);
  });

  test.each(['payment.failed', 'subscription.past_due', 'something.else'])(
    '%s changes nothing',
    async (type) => {
      const { workspace, ...ids } = await subscribed();
      const before = await record(workspace);
      await deliverEvent(type, { ...ids, plan_id: 'vendor_growth' });
      await settled(workspace);
      expect(await record(workspace)).toEqual(before);
    },
  );

  test('subscription.cancelled: free, and the subscription is cleared; it is known all the same', async () => {
    const { workspace, ...ids } = await subscribed();
    await deliverEvent('subscription.cancelled', ids, 50);
    await becomes(workspace, { plan: 'free', status: 'active', payment_subscription_id: null });
    await deliverEvent(
      'subscription.active',
      { subscription_id: ids.subscription_id, plan_id: 'vendor_growth' },
      49,
    );
    await settled(workspace);
    expect((await record(workspace)).plan).toBe('free');
    await deliverEvent(
      'subscription.active',
      { subscription_id: ids.subscription_id, plan_id: 'vendor_growth' },
      51,
    );
    await becomes(workspace, { plan: 'growth', payment_subscription_id: ids.subscription_id });
  });

  test('subscription.paused: read-only for every face, what can be read is read; active again it goes on', async () => {
    const { workspace, ...ids } = await subscribed();
    await deliverEvent('subscription.paused', ids);
    await becomes(workspace, { status: 'suspended', suspended_reason: 'subscription_paused' });
    const event = { external_id: 'x', event_name: 'x' };
    await until(
      'keys are read-only',
      async () => (await workspace.call('POST', '/v1/events', event)).body.code === 'workspace_suspended',
    );
    expect((await workspace.call('POST', '/v1/contacts', { external_id: 'x' })).body.code).toBe(
      'workspace_suspended',
    );
    const { body } = await workspace.graphql('mutation { updateCompany(input: { name: "x" }) { id } }');
    expect(body.errors[0].extensions.code).toBe('workspace_suspended');
    expect((await workspace.call('GET', '/v1/contacts')).status).toBe(200);
    expect((await workspace.graphql('{ billing { status } }')).body.data.billing.status).toBe('suspended');
    await deliverEvent('subscription.active', { ...ids, plan_id: 'vendor_starter' });
    await becomes(workspace, { status: 'active', suspended_reason: null });
    await until(
      'keys write again',
      async () => (await workspace.call('POST', '/v1/events', event)).status === 202,
    );
  });
});

test('R9: the same event a hundred times at once applies once; shuffled events come to what the newest says', async () => {
  const { workspace, ...ids } = await subscribed();
  await use(workspace);
  const renewal = {
    event_type: 'subscription.renewed',
    timestamp: moment(1),
    data: { ...ids, plan_id: 'vendor_starter' },
  };
  const answers = await Promise.all(Array.from({ length: 100 }, () => deliver(renewal)));
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    answers.map(() => [200, { received: true, event_type: 'subscription.renewed' }]),
  );
  await settled(workspace);
  expect(await used(workspace)).toBe(0);
  const { rows } = await admin.query('SELECT 1 FROM billing_events WHERE workspace_id = $1', [workspace.id]);
  expect(rows).toHaveLength(1);

  const story = ['activated', 'paused', 'active', 'cancelled', 'activated', 'paused', 'active'].map(
    (kind, n) => ({
      event_type: `subscription.${kind}`,
      timestamp: moment(10 + n),
      data: { ...ids, plan_id: n === 6 ? 'vendor_growth' : 'vendor_starter' },
    }),
  );
  for (const order of [[6, 0, 3, 5, 1, 4, 2]]) await Promise.all(order.map((n) => deliver(story[n])));
  await settled(workspace);
  expect(await record(workspace)).toEqual({
    ...{ plan: 'growth', status: 'active', suspended_reason: null },
    payment_subscription_id: ids.subscription_id,
  });
});

test('an event that fails is answered 200, told of once, stops none behind it, and is replayed', async () => {
  const { workspace, ...ids } = await subscribed();
  const before = await failures();
  expect((await deliverEvent('subscription.active', { ...ids, plan_id: 'vendor_platinum' }, 80)).status).toBe(
    200,
  );
  await settled(workspace);
  expect((await record(workspace)).plan).toBe('starter');
  await failuresBecome(before + 1);
  await deliverEvent('subscription.active', { ...ids, plan_id: 'vendor_growth' }, 70);
  await becomes(workspace, { plan: 'growth' });
  const replay = app.app.get(BillingReplay, { strict: false });
  const mine = async () => (await replay.failed()).filter(({ workspaceId }) => workspaceId === workspace.id);
  const [failed] = await mine();
  expect(failed).toMatchObject({ failure: 'unknown_plan', type: 'subscription.active', source: 'payment' });
  // It fails again and is reported again.
  expect(await replay.replay(failed?.id ?? '')).toEqual({ replayed: 1, stray: 0 });
  await settled(workspace);
  await failuresBecome(before + 2);
  // An event that an internal error stopped.
  await admin.query(
    `ALTER TABLE subscriptions ADD CONSTRAINT broken CHECK (id <> '${ids.subscription_id}') NOT VALID`,
  );
  await deliverEvent('subscription.cancelled', ids, 90);
  await settled(workspace);
  expect((await record(workspace)).plan).toBe('growth');
  expect((await mine()).map(({ failure }) => failure).toSorted()).toEqual(['internal_error', 'unknown_plan']);
  await admin.query('ALTER TABLE subscriptions DROP CONSTRAINT broken');
  await replay.replay(null);
  await becomes(workspace, { plan: 'free' });
});

test('what a lock keeps from being applied waits, lets others by, and is applied', async () => {
  const { workspace, ...ids } = await subscribed();
  const before = await failures();
  await admin.query(`
    CREATE FUNCTION locked() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'held' USING ERRCODE = '55P03'; END $$;
    CREATE TRIGGER locked BEFORE INSERT OR UPDATE ON subscriptions FOR EACH ROW
    WHEN (NEW.id = '${ids.subscription_id}') EXECUTE FUNCTION locked()`);
  await deliverEvent('subscription.active', { ...ids, plan_id: 'vendor_growth' }, 70);
  const waits = async () =>
    (
      await admin.query(
        'SELECT FROM billing_events WHERE workspace_id = $1 AND due_at > received_at AND failure IS NULL',
        [workspace.id],
      )
    ).rowCount;
  await until('it waits', async () => (await waits()) === 1);
  const other = await subscribed();
  await deliverEvent('subscription.active', { ...ids, ...other, plan_id: 'vendor_growth' }, 70);
  await becomes(other.workspace, { plan: 'growth' });
  expect((await record(workspace)).plan).toBe('starter');
  await admin.query('DROP FUNCTION locked CASCADE');
  app.clock.wind(MINUTE);
  await becomes(workspace, { plan: 'growth' });
  expect(await failures()).toBe(before);
});

test('what is locked for longer than a day has failed', async () => {
  const { workspace, ...ids } = await subscribed();
  const before = await failures();
  await admin.query(`
    CREATE FUNCTION locked() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'held' USING ERRCODE = '55P03'; END $$;
    CREATE TRIGGER locked BEFORE INSERT OR UPDATE ON subscriptions FOR EACH ROW
    WHEN (NEW.id = '${ids.subscription_id}') EXECUTE FUNCTION locked()`);
  await deliverEvent('subscription.active', { ...ids, plan_id: 'vendor_growth' }, 70);
  await admin.query(
    `UPDATE billing_events SET received_at = received_at - interval '1 day' WHERE workspace_id = $1`,
    [workspace.id],
  );
  app.clock.wind(MINUTE);
  await settled(workspace);
  await failuresBecome(before + 1);
  await admin.query('DROP FUNCTION locked CASCADE');
});

test('an event of a workspace that comes later is kept, and replayed by the operator', async () => {
  const data = {
    subscription_id: `later_${++serial}`,
    customer_id: `later_cus_${serial}`,
    plan_id: 'vendor_growth',
  };
  await deliverEvent('subscription.activated', data);
  const replay = app.app.get(BillingReplay, { strict: false });
  const [stray] = (await replay.failed()).filter(({ failure }) => failure === 'unknown_workspace').slice(-1);
  expect(stray).toMatchObject({ workspaceId: null, source: 'payment' });
  expect(await replay.replay(stray?.id ?? '')).toEqual({ replayed: 0, stray: 1 });
  const workspace = await app.workspace({ plan: 'free', payment_customer_id: data.customer_id });
  expect(await replay.replay(stray?.id ?? '')).toEqual({ replayed: 1, stray: 0 });
  await becomes(workspace, { plan: 'growth', payment_subscription_id: data.subscription_id });
});

async function checkoutToken(of: TestWorkspace): Promise<string> {
  const { body } = await of.graphql('mutation { createCheckoutToken { token expiresAt } }');
  const { token, expiresAt } = body.data.createCheckoutToken;
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  return token;
}

const confirm = async (of: TestWorkspace, id: string): Promise<any> =>
  (await of.graphql(`mutation { confirmSubscription(id: "${id}") { plan status paymentSubscriptionId } }`))
    .body;

const subscriptionsOf = async (of: TestWorkspace): Promise<any> =>
  (await of.graphql('{ billingSubscriptions { id plan status isConfirmed customerId } }')).body.data
    .billingSubscriptions;

describe('the second provider', () => {
  const send = (body: unknown, signature?: string): Promise<Answer> => {
    const text = JSON.stringify(body);
    const right = createHmac('sha256', 'second provider').update(text).digest('hex');
    return app.request('POST', '/v1/webhooks/billing', text, { 'x-signature': signature ?? right });
  };
  const says = (name: string, workspaceId: string, id: string, attributes: object, custom: object = {}) =>
    send({
      meta: { event_name: name, custom_data: { workspace_id: workspaceId, ...custom } },
      data: { type: 'subscriptions', id, attributes: { customer_id: 77, ...attributes } },
    });

  test('a body that is not signed as it came changes nothing', async () => {
    const workspace = await app.workspace({ plan: 'free' });
    const body = {
      meta: { event_name: 'subscription_created', custom_data: { workspace_id: workspace.id } },
    };
    for (const signature of [
      '',
      'x',
      '0'.repeat(64),
      createHmac('sha256', 'other').update('x').digest('hex'),
    ]) {
      const { status, body: answer } = await send(body, signature);
      expect([status, answer.code]).toEqual([401, 'invalid_signature']);
    }
  });

  test('a subscription of the owner’s is made, renewed, cancelled and ends; one that is paused suspends', async () => {
    const workspace = await app.workspace({ plan: 'free' });
    const id = `${900_000 + ++serial}`;
    const active = { status: 'active', variant_name: 'Growth' };
    expect(
      await says(
        'subscription_created',
        workspace.id,
        id,
        { ...active, updated_at: moment(1), renews_at: moment(30) },
        { checkout_token: await checkoutToken(workspace) },
      ),
    ).toMatchObject({ status: 200, body: { received: true } });
    await becomes(workspace, { plan: 'growth', status: 'active', payment_subscription_id: id });
    await use(workspace);
    await says('subscription_updated', workspace.id, id, {
      ...active,
      ...{ updated_at: moment(31), renews_at: moment(60) },
    });
    await settled(workspace);
    expect(await used(workspace)).toBe(0);
    await says('subscription_updated', workspace.id, id, { status: 'paused', updated_at: moment(40) });
    await becomes(workspace, { status: 'suspended', plan: 'growth' });
    await says('subscription_updated', workspace.id, id, { ...active, updated_at: moment(41) });
    await becomes(workspace, { status: 'active' });
    for (const [name, status] of [
      ['subscription_cancelled', 'cancelled'],
      ['subscription_updated', 'cancelled'],
      ['subscription_payment_failed', 'pending'],
    ] as const)
      await says(name, workspace.id, id, { status, updated_at: moment(50) });
    await settled(workspace);
    expect(await record(workspace)).toMatchObject({ plan: 'growth', status: 'active' });
    await says('subscription_expired', workspace.id, id, { status: 'expired', updated_at: moment(61) });
    await becomes(workspace, { plan: 'free', payment_subscription_id: null });
  });

  test.each(['paused', 'unpaid', 'expired'])(
    'a purchase in somebody else’s name that turns %s leaves the workspace as it was',
    async (status) => {
      for (const [given, bought] of [
        ['growth', 'Starter'],
        ['growth', 'Growth'],
        ['growth', 'Enterprise'],
        ['free', 'Growth'],
      ] as const) {
        const workspace = await app.workspace({ plan: given });
        const id = `${900_000 + ++serial}`;
        const trial = { status: 'on_trial', variant_name: bought };
        await says('subscription_created', workspace.id, id, { ...trial, updated_at: moment(1) });
        await says('subscription_updated', workspace.id, id, { status, updated_at: moment(2) });
        await settled(workspace);
        expect(await record(workspace)).toEqual({
          ...{ plan: given, status: 'active', suspended_reason: null },
          payment_subscription_id: null,
        });
      }
    },
  );

  test('a purchase in somebody else’s name adds its plan for as long as it is paid', async () => {
    const workspace = await app.workspace({ plan: 'starter' });
    const id = `${900_000 + ++serial}`;
    const active = { status: 'active', variant_name: 'Growth', updated_at: moment(1) };
    await says('subscription_created', workspace.id, id, active);
    await settled(workspace);
    expect(await record(workspace)).toMatchObject({ plan: 'growth', payment_subscription_id: id });
    await says('subscription_expired', workspace.id, id, { status: 'expired', updated_at: moment(2) });
    await settled(workspace);
    expect(await record(workspace)).toMatchObject({ plan: 'starter', payment_subscription_id: null });
  });

  test('the owner confirms a purchase once; from then on it pauses and lowers the workspace', async () => {
    const workspace = await app.workspace({ plan: 'free' });
    const id = `${900_000 + ++serial}`;
    const active = { status: 'active', variant_name: 'Growth' };
    expect((await confirm(workspace, id)).errors[0].extensions.code).toBe('not_found');
    await says('subscription_created', workspace.id, id, { ...active, updated_at: moment(1) });
    await settled(workspace);
    const shown = { id, plan: 'growth', status: 'active', customerId: '77' };
    expect(await subscriptionsOf(workspace)).toEqual([{ ...shown, isConfirmed: false }]);
    for (let times = 0; times < 2; times++)
      expect((await confirm(workspace, id)).data.confirmSubscription).toEqual({
        ...{ plan: 'growth', status: 'active', paymentSubscriptionId: id },
      });
    expect(await subscriptionsOf(workspace)).toEqual([{ ...shown, isConfirmed: true }]);
    const { body } = await workspace.graphql(
      '{ auditLog(first: 5) { edges { node { action actor after } } } }',
    );
    const entries = body.data.auditLog.edges.map(({ node }: any) => node);
    expect(entries.filter(({ action }: any) => action === 'subscription_confirmed')).toEqual([
      {
        action: 'subscription_confirmed',
        actor: expect.not.stringMatching('billing') as string,
        after: { subscriptionId: id, plan: 'growth' },
      },
    ]);
    await says('subscription_updated', workspace.id, id, { status: 'unpaid', updated_at: moment(2) });
    await becomes(workspace, { status: 'suspended', plan: 'growth' });
    await says('subscription_expired', workspace.id, id, { status: 'expired', updated_at: moment(3) });
    await becomes(workspace, { status: 'active', plan: 'free' });
  });

  test('a purchase that is not paid is not confirmed by mistake', async () => {
    const workspace = await app.workspace({ plan: 'growth' });
    const id = `${900_000 + ++serial}`;
    await says('subscription_updated', workspace.id, id, { status: 'unpaid', updated_at: moment(1) });
    await settled(workspace);
    expect((await confirm(workspace, id)).errors[0].extensions.code).toBe('conflict');
    expect(await record(workspace)).toMatchObject({ plan: 'growth', status: 'active' });
  });

  test('the token of another workspace and one that is forged confirm nothing', async () => {
    const [workspace, other] = [
      await app.workspace({ plan: 'growth' }),
      await app.workspace({ plan: 'free' }),
    ];
    const token = await checkoutToken(workspace);
    const [id = '', expiry = '', signature = ''] = token.split('.');
    const ids: string[] = [];
    for (const [checkout_token, updated_at] of [
      [`${other.id}.${expiry}.${signature}`, moment(1)],
      [`${id}.${Number(expiry) + 1}.${signature}`, moment(1)],
      [`${id}.${expiry}.${signature.slice(1)}`, moment(1)],
      [`${id}.${expiry}.`, moment(1)],
      [[token], moment(1)],
    ]) {
      ids.push(`${900_000 + ++serial}`);
      const trial = { status: 'on_trial', variant_name: 'Enterprise', updated_at };
      await says('subscription_created', workspace.id, ids.at(-1) ?? '', trial, { checkout_token });
    }
    await settled(workspace);
    const shown = await subscriptionsOf(workspace);
    expect(shown.map((one: any) => [one.id, one.isConfirmed]).toSorted()).toEqual(
      ids.map((one) => [one, false]).toSorted(),
    );
    // The workspace of the checkout token gets the purchase, whichever workspace the buyer names.
    const own = `${900_000 + ++serial}`;
    const bought = { status: 'active', variant_name: 'Starter', updated_at: moment(1) };
    await says('subscription_created', workspace.id, own, bought, {
      checkout_token: await checkoutToken(other),
    });
    await becomes(other, { plan: 'starter', payment_subscription_id: own });
  });

  test('another’s customer brings its purchases to nobody who buys under its name', async () => {
    // Without the check, the older workspace would win.
    const thief = await app.workspace({ plan: 'free' });
    const { workspace, customer_id } = await subscribed();
    const id = `${900_000 + ++serial}`;
    await says(
      'subscription_created',
      thief.id,
      id,
      { status: 'active', variant_name: 'Starter', customer_id, updated_at: moment(1) },
      { checkout_token: await checkoutToken(thief) },
    );
    await deliverEvent('subscription.activated', {
      ...{ subscription_id: `thief_${id}`, customer_id, plan_id: 'vendor_starter' },
      metadata: { checkout_token: await checkoutToken(thief) },
    });
    await settled(thief);
    const { rows } = await admin.query('SELECT payment_customer_id AS id FROM workspaces WHERE id = $1', [
      thief.id,
    ]);
    expect(rows).toEqual([{ id: null }]);
    const subscription_id = `of_customer_${id}`;
    await deliverEvent('subscription.activated', { subscription_id, customer_id, plan_id: 'vendor_growth' });
    await becomes(workspace, { plan: 'growth', payment_subscription_id: subscription_id });
  });

  test('who names another’s workspace in a purchase takes nothing from it', async () => {
    const { workspace } = await subscribed({ plan: 'growth' });
    const mine = `${900_000 + ++serial}`;
    await says('subscription_created', workspace.id, mine, {
      ...{ status: 'active', variant_name: 'Starter', updated_at: moment(1) },
    });
    await says('subscription_expired', workspace.id, mine, { status: 'expired', updated_at: moment(2) });
    await settled(workspace);
    expect(await record(workspace)).toMatchObject({ plan: 'growth', status: 'active' });
  });
});

test('a customer whom the operator links brings its purchases, those that came before included', async () => {
  const workspace = await app.workspace({ plan: 'free' });
  const data = { customer_id: `linked_cus_${++serial}`, subscription_id: `linked_sub_${serial}` };
  await deliverEvent('subscription.activated', { ...data, plan_id: 'vendor_starter' });
  const links = app.app.get(CustomerLinks, { strict: false });
  await links.link({ workspaceId: workspace.id }, data.customer_id, OPERATOR_AUTHOR);
  await app.app.get(BillingReplay, { strict: false }).replay(null);
  await becomes(workspace, { plan: 'starter', payment_subscription_id: data.subscription_id });
  await deliverEvent('subscription.active', { customer_id: data.customer_id, plan_id: 'vendor_growth' });
  await becomes(workspace, { plan: 'growth', payment_subscription_id: data.subscription_id });
});

test('a checkout of the owner’s brings the payment provider’s subscription to its workspace', async () => {
  const workspace = await app.workspace({ plan: 'free' });
  const subscription_id = `checkout_${++serial}`;
  await deliverEvent('subscription.activated', {
    ...{ subscription_id, customer_id: `new_${serial}`, plan_id: 'vendor_growth' },
    metadata: { checkout_token: await checkoutToken(workspace) },
  });
  await becomes(workspace, { plan: 'growth', payment_subscription_id: subscription_id });
  await deliverEvent('subscription.paused', { subscription_id });
  await becomes(workspace, { status: 'suspended' });
});

test('mail of a suspended workspace waits where it is, and goes on once, all of it', async () => {
  const { workspace, ...ids } = await subscribed({ plan: 'growth' });
  const canary = `held${++serial}`;
  await workspace.call('POST', '/v1/templates', {
    ...{ name: 'Hello', slug: 'hello', subject: 'Hello', body_html: '<p>Hello</p>' },
  });
  const { body: flow } = await workspace.call('POST', '/v1/flows', {
    ...{ name: 'Onboarding', trigger_event: 'signed_up', content_type: 'transactional' },
    steps: [{ type: 'send_email', template_slug: 'hello' }],
  });
  await workspace.call('POST', `/v1/flows/${flow.id}/activate`);
  const arrived = () => app.sink.mails.filter(({ to }) => to.some((one) => one.includes(canary)));
  app.sink.delay = () => 20;
  for (let from = 0; from < 200; from += 50)
    await workspace.call('POST', '/v1/events/batch', {
      events: Array.from({ length: 50 }, (_, n) => ({
        ...{ external_id: `${canary}-${from + n}`, event_name: 'signed_up' },
        contact: { email: `${canary}-${from + n}@example.com` },
      })),
    });
  await until('some have arrived', () => arrived().length > 10);
  await deliverEvent('subscription.paused', ids);
  await becomes(workspace, { status: 'suspended' });
  const { rows } = await admin.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM email_logs WHERE workspace_id = $1 AND status IN ('queued', 'sending')`,
    [workspace.id],
  );
  expect(rows[0]?.n).toBeGreaterThan(0);
  const statuses = async () =>
    (
      await admin.query<{ status: string; n: number }>(
        'SELECT status, count(*)::int AS n FROM email_logs WHERE workspace_id = $1 GROUP BY 1 ORDER BY 1',
        [workspace.id],
      )
    ).rows;
  await until('nothing is in hand', async () =>
    (await statuses()).every(({ status }) => status !== 'sending'),
  );
  const before = arrived().length;
  expect(before).toBeLessThan(200);
  app.clock.wind(3_600_000);
  // Mail of other workspaces continues meanwhile.
  const other = await app.workspace();
  await other.call('POST', '/v1/templates', {
    ...{ name: 'Hello', slug: 'hello', subject: 'Hello', body_html: '<p>Hello</p>' },
  });
  await other.call('POST', '/v1/send', {
    template_slug: 'hello',
    to: { email: 'other@example.net', external_id: 'o' },
  });
  await until('it has arrived', () => app.sink.mails.some(({ to }) => to.includes('other@example.net')));
  expect(arrived()).toHaveLength(before);
  await deliverEvent('subscription.active', { ...ids, plan_id: 'vendor_growth' });
  await until(
    'all have arrived',
    () => arrived().length >= 200,
    () => arrived().length,
  );
  await until('all are sent', async () => JSON.stringify(await statuses()) === '[{"status":"sent","n":200}]');
  expect(new Set(arrived().map(({ messageId }) => messageId)).size).toBe(200);
  expect(arrived()).toHaveLength(200);
});
