/** Limits of events: idempotency under concurrency (gate R3), the monthly cap, retention. Sections 4.10, 6.3, 8.2. */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;
const DAY = 24 * 3_600_000;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

async function count(workspace: TestWorkspace, table: string, where = 'true'): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table} WHERE workspace_id = $1 AND ${where}`,
    [workspace.id],
  );
  return rows[0]?.n ?? 0;
}

/** Sets the month's usage as if these events had been posted before. */
async function used(workspace: TestWorkspace, events: number, environment = 'live'): Promise<void> {
  await admin.query(
    `INSERT INTO monthly_usage (workspace_id, environment, month, events) VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace_id, environment, month) DO UPDATE SET events = $4`,
    [workspace.id, environment, `${app.clock.now().toISOString().slice(0, 7)}-01`, events],
  );
}

const statuses = (answers: readonly Answer[]): Record<number, number> => {
  const found: Record<number, number> = {};
  for (const { status } of answers) found[status] = (found[status] ?? 0) + 1;
  return found;
};

describe('an idempotency key', () => {
  test('posted 500 times at once is accepted once, and starts one trip', async () => {
    const workspace = await app.workspace({ plan: 'enterprise' });
    const flow = await workspace.call('POST', '/v1/flows', {
      name: 'Once',
      trigger_event: 'paid',
      content_type: 'transactional',
      steps: [],
      settings: { reentry_policy: 'always' },
    });
    await workspace.call('POST', `/v1/flows/${flow.body.id}/activate`);
    const event = { external_id: 'once', event_name: 'paid', idempotency_key: 'order-1' };
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => workspace.call('POST', '/v1/events', event)),
    );
    expect(statuses(answers)).toEqual({ 202: 1, 409: 499 });
    for (const { status, body } of answers) if (status === 409) expect(body.code).toBe('duplicate_event');
    await until('the event is processed', async () => (await count(workspace, 'trips')) > 0);
    expect([await count(workspace, 'events'), await count(workspace, 'trips')]).toEqual([1, 1]);
  });

  test('in batches of 50 from ten clients, twenty times each, is accepted once', async () => {
    const workspace = await app.workspace({ plan: 'enterprise' });
    const event = { external_id: 'b', event_name: 'paid', idempotency_key: 'order-2' };
    const client = async (): Promise<Answer[]> => {
      const answers: Answer[] = [];
      for (let i = 0; i < 20; i++)
        answers.push(await workspace.call('POST', '/v1/events/batch', { events: Array(50).fill(event) }));
      return answers;
    };
    const answers = (await Promise.all(Array.from({ length: 10 }, client))).flat();
    expect(statuses(answers)).toEqual({ 202: 200 });
    expect(answers.reduce((sum, { body }) => sum + body.accepted, 0)).toBe(1);
    const codes = new Set(
      answers.flatMap(({ body }) => body.errors.map((error: { code: string }) => error.code)),
    );
    expect([...codes]).toEqual(['duplicate_event']);
    expect(await count(workspace, 'events')).toBe(1);
  });

  test('is another one in the other environment, and in another workspace', async () => {
    const [one, two] = [await app.workspace(), await app.workspace()];
    const event = { external_id: 'k', event_name: 'paid', idempotency_key: 'order-3' };
    const asTest = { 'x-api-key': one.testKey };
    expect((await one.call('POST', '/v1/events', event)).status).toBe(202);
    expect((await one.call('POST', '/v1/events', event, asTest)).status).toBe(202);
    expect((await two.call('POST', '/v1/events', event)).status).toBe(202);
    expect((await one.call('POST', '/v1/events', event)).status).toBe(409);
  });
});

describe('the monthly cap', () => {
  test('lets exactly its number pass, also under concurrency, and refuses the rest with its figures', async () => {
    const workspace = await app.workspace({ plan: 'free' });
    await used(workspace, 9_995);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        workspace.call('POST', '/v1/events', { external_id: `c${n}`, event_name: 'seen' }),
      ),
    );
    expect(statuses(answers)).toEqual({ 202: 5, 403: 25 });
    expect(answers.find(({ status }) => status === 403)?.body).toMatchObject({
      code: 'plan_limit_reached',
      limit_type: 'events',
      current: 10_000,
      maximum: 10_000,
      plan: 'free',
    });
    expect(await count(workspace, 'events')).toBe(5);
  });

  test('rejects the items of a batch that are beyond it, and gives their idempotency keys back', async () => {
    const workspace = await app.workspace({ plan: 'free' });
    await used(workspace, 9_998);
    const events = [1, 2, 3, 4].map((n) => ({
      external_id: 'd',
      event_name: 'seen',
      idempotency_key: `d${n}`,
    }));
    const answer = await workspace.call('POST', '/v1/events/batch', { events });
    expect(answer.body).toMatchObject({ accepted: 2, rejected: 2 });
    expect(
      answer.body.errors.map((error: { index: number; code: string }) => [error.index, error.code]),
    ).toEqual([
      [2, 'plan_limit_reached'],
      [3, 'plan_limit_reached'],
    ]);
    await used(workspace, 9_000);
    const again = await workspace.call('POST', '/v1/events/batch', { events });
    expect(
      again.body.errors.map((error: { index: number; code: string }) => [error.index, error.code]),
    ).toEqual([
      [0, 'duplicate_event'],
      [1, 'duplicate_event'],
    ]);
  });

  test('does not count repetitions', async () => {
    const workspace = await app.workspace({ plan: 'free' });
    await used(workspace, 9_998);
    const event = { external_id: 'r', event_name: 'seen', idempotency_key: 'same' };
    for (let i = 0; i < 5; i++) await workspace.call('POST', '/v1/events', event);
    expect(
      (await workspace.call('POST', '/v1/events', { external_id: 'r', event_name: 'seen' })).status,
    ).toBe(202);
    expect(
      (await workspace.call('POST', '/v1/events', { external_id: 'r', event_name: 'seen' })).status,
    ).toBe(403);
  });

  test('counts each environment for itself', async () => {
    const workspace = await app.workspace({ plan: 'free' });
    await used(workspace, 10_000);
    const event = { external_id: 'e', event_name: 'seen' };
    expect((await workspace.call('POST', '/v1/events', event)).status).toBe(403);
    expect(
      (await workspace.call('POST', '/v1/events', event, { 'x-api-key': workspace.testKey })).status,
    ).toBe(202);
  });

  test('is fresh in the next month', async () => {
    const workspace = await app.workspace({ plan: 'free' });
    await used(workspace, 10_000);
    const event = { external_id: 'n', event_name: 'seen' };
    expect((await workspace.call('POST', '/v1/events', event)).status).toBe(403);
    app.clock.wind(32 * DAY);
    expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
  });

  test('of a plan without one counts what was processed', async () => {
    const workspace = await app.workspace({ plan: 'enterprise' });
    await workspace.call('POST', '/v1/events', { external_id: 'u', event_name: 'seen' });
    await until('it is counted', async () => (await count(workspace, 'monthly_usage', 'events = 1')) === 1);
  });
});

describe('retention', () => {
  test("deletes events that are older than the plan keeps them, and leaves the contact's latest of each name", async () => {
    const free = await app.workspace({ plan: 'free' });
    const enterprise = await app.workspace({ plan: 'enterprise' });
    for (const workspace of [free, enterprise])
      await workspace.call('POST', '/v1/events', { external_id: 'old', event_name: 'seen' });
    await until('they are processed', async () => (await count(free, 'latest_events')) === 1);
    app.clock.wind(29 * DAY);
    await free.call('POST', '/v1/events', { external_id: 'new', event_name: 'seen' });
    await until('it is processed', async () => (await count(free, 'latest_events')) === 2);
    expect(await count(free, 'events')).toBe(2);
    app.clock.wind(DAY + 2 * 3_600_000);
    await until('the old one is gone', async () => (await count(free, 'events')) === 1);
    expect(await count(free, 'events', `external_id = 'new'`)).toBe(1);
    expect(await count(free, 'latest_events')).toBe(2);
    expect(await count(enterprise, 'events')).toBe(1);
  });

  test('keeps for thirty days after a change of plan what the plans before it had it keep', async () => {
    const [free, smaller, soonBack] = await Promise.all([
      app.workspace({ plan: 'free' }),
      app.workspace({ plan: 'enterprise' }),
      app.workspace({ plan: 'growth' }),
    ]);
    for (const workspace of [free, smaller, soonBack])
      await workspace.call('POST', '/v1/events', { external_id: 'old', event_name: 'seen' });
    await until('they are processed', async () => (await count(soonBack, 'latest_events')) === 1);
    app.clock.wind(20 * DAY);
    const becomes = (workspace: TestWorkspace, plan: string): Promise<unknown> =>
      admin.query('UPDATE workspaces SET plan = $2, updated_at = $3 WHERE id = $1', [
        workspace.id,
        plan,
        app.clock.now(),
      ]);
    // Changes to the free plan through another plan.
    await becomes(smaller, 'starter');
    app.clock.wind(DAY);
    await becomes(smaller, 'free');
    await becomes(soonBack, 'free');
    app.clock.wind(20 * DAY);
    await until('the one that was free is gone', async () => (await count(free, 'events')) === 0);
    expect([await count(smaller, 'events'), await count(soonBack, 'events')]).toEqual([1, 1]);
    await becomes(soonBack, 'growth');
    app.clock.wind(11 * DAY);
    await until('the grace is over', async () => (await count(smaller, 'events')) === 0);
    expect(await count(soonBack, 'events')).toBe(1);
  });

  test('forgets idempotency keys a day later', async () => {
    const workspace = await app.workspace();
    await workspace.call('POST', '/v1/events', {
      external_id: 'i',
      event_name: 'seen',
      idempotency_key: 'x',
    });
    app.clock.wind(DAY + 2 * 3_600_000);
    await until('it is forgotten', async () => (await count(workspace, 'idempotency_keys')) === 0);
  });
});

describe('a latest event', () => {
  test('is the one that occurred last, in whatever order they come', async () => {
    const workspace = await app.workspace();
    const ago = (minutes: number): string =>
      new Date(app.clock.now().getTime() - minutes * 60_000).toISOString();
    for (const [n, minutes] of [
      [1, 30],
      [2, 5],
      [3, 60],
    ] as const)
      await workspace.call('POST', '/v1/events', {
        external_id: 'l',
        event_name: 'seen',
        attributes: { n },
        occurred_at: ago(minutes),
      });
    await until(
      'all are processed',
      async () => (await count(workspace, 'events', 'processed_at IS NULL')) === 0,
    );
    expect(await count(workspace, 'latest_events', `attributes = '{"n": 2}'`)).toBe(1);
  });
});

test('a plan that an operator changes by hand, without a word of when, has its days of grace', async () => {
  const workspace = await app.workspace({ plan: 'growth' });
  await admin.query(`UPDATE workspaces SET updated_at = '2020-01-01' WHERE id = $1`, [workspace.id]);
  const { rows } = await admin.query<{ recent: boolean; former: string[] }>(
    `UPDATE workspaces SET plan = 'free' WHERE id = $1
     RETURNING plan_changed_at > now() - interval '1 minute' AS recent, former_plans AS former`,
    [workspace.id],
  );
  expect(rows).toEqual([{ recent: true, former: ['growth'] }]);
});
