/**
 * How the poller finds tenants with waiting messages: it stays cheap with a million of them, and misses no tenant.
 */
import pg from 'pg';
import type { ManualClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { DISPATCH_ROLE, urlAs } from '../../src/platform/database/roles.js';
import { ProcessLease } from '../../src/platform/database/process-lease.js';
import { DUE_SENDS, SendsPoller } from '../../src/modules/delivery/queue/sends.work.js';
import { startSending, type SendingApp } from './sending-app.js';

const MINUTE = 60_000;

let database: TestDatabase;
let app: SendingApp;
let clock: ManualClock;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startSending(database, 'smtp://127.0.0.1:1');
  ({ clock } = app);
});

afterAll(async () => {
  await app.close();
  await database.drop();
});

beforeEach(async () => {
  await app.admin.query('TRUNCATE email_logs');
});

const look = () => app.module.get(SendsPoller).findDue(clock.now());
const postpone = (id: string, milliseconds: number) =>
  app.admin.query('UPDATE email_logs SET next_attempt_at = $2 WHERE id = $1', [
    id,
    new Date(clock.now().getTime() + milliseconds),
  ]);

test('nothing waits', async () => {
  expect(await look()).toEqual({ scopes: [], since: [], next: null, oldest: null });
});

test('each tenant is found by its earliest message, whatever its priority', async () => {
  const [one, two, three] = [await app.workspace(), await app.workspace({}, 'test'), await app.workspace()];
  const contactId = await app.contact(one);
  await postpone(await app.enqueue(one, { contactId }), MINUTE);
  await postpone(await app.enqueue(one, { contactId, contentType: 'promotional' }), -MINUTE);
  await app.enqueue(two, { contactId, contentType: 'promotional' });
  await postpone(await app.enqueue(three, { contactId }), 2 * MINUTE);
  const { scopes, next, oldest } = await look();
  const byId = (a: { workspaceId: string }, b: { workspaceId: string }) =>
    a.workspaceId < b.workspaceId ? -1 : 1;
  expect([...scopes].sort(byId)).toEqual([one, two].sort(byId));
  expect(next).toEqual(new Date(clock.now().getTime() + 2 * MINUTE));
  expect(oldest).toEqual(new Date(clock.now().getTime() - MINUTE));
});

test('a message that was left behind makes its tenant due; one that is being sent does not', async () => {
  const [one, two] = [await app.workspace(), await app.workspace()];
  const contactId = await app.contact(one);
  const alive = await app.module.get(ProcessLease).number();
  for (const [scope, sender] of [
    [one, 1],
    [two, alive],
  ] as const) {
    const id = await app.enqueue(scope, { contactId });
    await app.admin.query(`UPDATE email_logs SET status = 'sending', sender = $2 WHERE id = $1`, [
      id,
      sender,
    ]);
  }
  expect((await look()).scopes).toEqual([one]);
});

test('steps from tenant to tenant through the index, however many messages wait', async () => {
  const scope = await app.workspace();
  await app.admin.query(
    `INSERT INTO email_logs (workspace_id, id, origin, origin_id, origin_step, environment, contact_id, template_slug, content_type, priority, status,
       message_id, next_attempt_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'direct', gen_random_uuid(), 0, 'live', $1, 'x', 'promotional', 1, 'queued', '', $2, $2, $2
     FROM generate_series(1, 20000)`,
    [scope.workspaceId, clock.now()],
  );
  await app.admin.query('VACUUM ANALYZE email_logs');
  const dispatch = new pg.Client({ connectionString: urlAs(DISPATCH_ROLE, database.adminUrl) });
  await dispatch.connect();
  try {
    const { rows } = await dispatch.query<{ 'QUERY PLAN': readonly { Plan: Record<string, number> }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${DUE_SENDS}`,
      [clock.now()],
    );
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    expect((plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN)).toBeLessThan(60);
  } finally {
    await dispatch.end();
  }
});
