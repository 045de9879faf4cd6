/**
 * Upgrades a database of the first release, with rows, to the current schema; new columns are filled from existing
 * data. The upgrading account owns the tables and is not a superuser, so that row-level security applies to it,
 * too.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
import {
  OPT_OUT_KEY_PURPOSE,
  OptOutDigests,
} from '../../src/modules/contacts/application/opt-out-digests.js';
import { namesOf } from '../../src/modules/contacts/domain/opt-out.js';
import { SERVICE_ROLES, suffixOf } from '../../src/platform/database/roles.js';
import type { RuntimeConfig } from '../../src/platform/config/config.js';
import { deriveKey } from '../../src/platform/crypto/derived-key.js';
import { migrateToCurrentSchema } from '../../src/processes/current-schema.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const W = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';
const FLOW = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeeb';
const TRIP = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeec';
const MESSAGE = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeed';
const STRAY = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeee';
const BOUGHT = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffef0';
const PAID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffef1';
const name = `test_upgrade_${randomBytes(6).toString('hex')}`;
const server = process.env['TEST_DATABASE_URL'] ?? '';
const address = { pathname: `/${name}` };
const url = Object.assign(new URL(server), { ...address, username: name, password: 'owner' }).toString();
const ENCRYPTION_KEY = '1'.repeat(64);
const CONFIG = {
  databaseUrl: url,
  encryptionKeys: [ENCRYPTION_KEY] as readonly string[],
  queue: { kind: 'postgres' },
} as RuntimeConfig;
let plain: TestDatabase;
let root: pg.Client;
let admin: pg.Client;

beforeAll(async () => {
  // Other tests expect the plain roles to belong to the server's superuser.
  plain = await createTestDatabase();
  root = new pg.Client({ connectionString: server });
  await root.connect();
  await root.query(`CREATE ROLE ${name} LOGIN CREATEROLE PASSWORD 'owner'`);
  await root.query(`CREATE DATABASE ${name} OWNER ${name}`);
  await migrate(url, { entities: SCHEMA.entities, migrations: SCHEMA.migrations.slice(0, 1) });
  admin = new pg.Client({ connectionString: Object.assign(new URL(server), address).toString() });
  await admin.connect();
  await admin.query(
    `INSERT INTO contacts (workspace_id, id, environment, external_id, email, subscription_status, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'live', 'u' || i, 'u' || i || '@example.com',
       CASE i WHEN 3 THEN 'deleted' WHEN 4 THEN 'unsubscribed' ELSE 'subscribed' END, now(), now() FROM generate_series(1, 5) i`,
    [W],
  );
  await admin.query(
    `INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, occurred_at, received_at, processed_at)
     SELECT $1, gen_random_uuid(), 'live', 'u1', 'seen', jsonb_build_object('n', i),
       '2026-03-02T09:00:00Z'::timestamptz - i * interval '1 hour', '2026-03-02T09:00:00Z', now() FROM generate_series(1, 4) i`,
    [W],
  );
  await admin.query(
    `INSERT INTO segments (workspace_id, id, name, match, conditions, created_at, updated_at)
     VALUES ($1, gen_random_uuid(), 'Everybody', 'all', '[]', now(), now())`,
    [W],
  );
  for (const [status, started, ended] of [
    ['completed', '2026-03-02T09:00:00Z', '2026-03-02T11:59:59.999Z'],
    ['stopped', '2026-03-02T09:59:59.999Z', '2026-03-02T10:00:00Z'],
    ['paused', '2026-03-02T10:00:00Z', null],
  ])
    await admin.query(
      `INSERT INTO trips (workspace_id, id, environment, flow_id, flow_version, contact_id, trigger_event_id, status,
         step, started_at, updated_at, completed_at)
       VALUES ($1, gen_random_uuid(), 'live', $2, 1, $1, gen_random_uuid(), $3, 0, $4, now(), $5)`,
      [W, FLOW, status, started, ended],
    );
  for (const [id, flow, trip, step] of [
    [MESSAGE, FLOW, TRIP, 2],
    [STRAY, null, null, null],
  ])
    await admin.query(
      `INSERT INTO email_logs (workspace_id, id, environment, flow_id, trip_id, step, contact_id, template_slug,
         content_type, priority, status, message_id, next_attempt_at, created_at, updated_at)
       VALUES ($1, $2, 'live', $3, $4, $5, $1, 'hello', 'transactional', 0, 'sent', '<x>', now(), now(), now())`,
      [W, id, flow, trip, step],
    );
  await migrate(url, { entities: SCHEMA.entities, migrations: SCHEMA.migrations.slice(0, 3) });
  await admin.query(
    `UPDATE contacts SET opted_out = true, email = 'U3@Bücher.example' WHERE external_id = 'u3'`,
  );
  const unconfirmed = SCHEMA.migrations.findIndex(({ name: one }) =>
    one.startsWith('ConfirmedSubscriptions'),
  );
  await migrate(
    url,
    { entities: SCHEMA.entities, migrations: SCHEMA.migrations.slice(0, unconfirmed) },
    { 'waypost.refusal_key': deriveKey(ENCRYPTION_KEY, OPT_OUT_KEY_PURPOSE).toString('hex') },
  );
  for (const [workspace, source] of [
    [BOUGHT, 'billing'],
    [PAID, 'payment'],
  ]) {
    await admin.query(
      `INSERT INTO workspaces (id, name, plan, status, suspended_reason, payment_subscription_id, created_at, updated_at)
       VALUES ($1, $2::text, 'growth', 'suspended', 'subscription_paused', $2::text, now(), now())`,
      [workspace, source],
    );
    await admin.query(
      `INSERT INTO subscriptions (workspace_id, id, standing, plan) VALUES ($1, $2, 'paused', 'growth')`,
      [workspace, source],
    );
    await admin.query(
      `INSERT INTO billing_events (workspace_id, id, key, source, event, received_at)
       VALUES ($1, gen_random_uuid(), $2::text, $2::text, jsonb_build_object('subscription_id', $2::text), now())`,
      [workspace, source],
    );
  }
  await migrateToCurrentSchema(CONFIG);
});
afterAll(async () => {
  await admin.end();
  await root.query(`DROP DATABASE ${name} WITH (FORCE)`);
  for (const role of SERVICE_ROLES) await root.query(`DROP ROLE ${role + suffixOf(name)}`);
  await root.query(`DROP ROLE ${name}`);
  await root.end();
  await plain.drop();
});

const rows = async (sql: string): Promise<unknown[]> => (await admin.query(sql)).rows;

test('contacts are counted without the deleted ones', async () =>
  expect(await rows('SELECT environment, contacts FROM contact_counts')).toEqual([
    { environment: 'live', contacts: 4 },
  ]));

test('trips are counted by flow, in all and by hour', async () => {
  const figures = 'started::int, completed::int, terminated::int, failed::int';
  expect(await rows(`SELECT flow_id, ${figures} FROM trip_tallies`)).toEqual([
    { flow_id: FLOW, started: 3, completed: 1, terminated: 1, failed: 0 },
  ]);
  const hour = (at: string): Date => new Date(`2026-03-02T${at}:00:00Z`);
  expect(await rows(`SELECT at, status, trips FROM trip_changes ORDER BY at, status`)).toEqual([
    { at: hour('09'), status: 'completed', trips: 1 },
    { at: hour('09'), status: 'terminated', trips: 1 },
    { at: hour('10'), status: 'paused', trips: 1 },
  ]);
});

test('the latest event of each name is kept ready', async () =>
  expect(await rows('SELECT external_id, event_name, attributes FROM latest_events')).toEqual([
    { external_id: 'u1', event_name: 'seen', attributes: { n: 1 } },
  ]));

test("the month's events are counted", async () =>
  expect(await rows('SELECT month::text, events FROM monthly_usage')).toEqual([
    { month: '2026-03-01', events: '4' },
  ]));

test('members of segments are looked up in both environments', async () =>
  expect(await rows('SELECT environment FROM segment_refreshes ORDER BY 1')).toEqual([
    { environment: 'live' },
    { environment: 'test' },
  ]));

test('messages keep the trip that asked for them; one of no trip becomes a request of its own', async () =>
  expect(
    await rows('SELECT id, source_id, origin, origin_id, origin_step FROM email_logs ORDER BY id'),
  ).toEqual([
    { id: MESSAGE, source_id: FLOW, origin: 'trip', origin_id: TRIP, origin_step: 3 },
    { id: STRAY, source_id: null, origin: 'direct', origin_id: STRAY, origin_step: 0 },
  ]));

test('whoever has unsubscribed, the deleted too, has refused at identifier and address', async () => {
  const digests = new OptOutDigests(CONFIG);
  const stored = [
    { externalId: 'u3', email: 'u3@xn--bcher-kva.example' },
    { externalId: 'u4', email: 'U4@example.com' },
  ].flatMap((contact) =>
    namesOf(contact).map((name) => digests.toStore({ workspaceId: W, environment: 'live' }, name)),
  );
  expect(await rows('SELECT digest FROM refusals ORDER BY digest')).toEqual(
    stored.sort((one, other) => one.compare(other)).map((digest) => ({ digest })),
  );
  expect(await rows('SELECT fingerprint FROM refusal_keys')).toEqual(
    digests.fingerprints().map((fingerprint) => ({ fingerprint })),
  );
});

test('what may have been bought by somebody else is unconfirmed, and suspends nobody', async () =>
  expect(
    await rows(
      `SELECT s.id, confirmed_by, w.plan, status, suspended_reason, granted_plan
       FROM subscriptions s JOIN workspaces w ON w.id = workspace_id ORDER BY 1`,
    ),
  ).toEqual([
    {
      ...{ id: 'billing', confirmed_by: null, plan: 'growth', granted_plan: null },
      ...{ status: 'active', suspended_reason: null },
    },
    {
      ...{ id: 'payment', confirmed_by: 'link', plan: 'growth', granted_plan: null },
      ...{ status: 'suspended', suspended_reason: 'subscription_paused' },
    },
  ]));

test('the policies that were lifted meanwhile hold again', async () =>
  expect(
    await rows(
      `SELECT DISTINCT relforcerowsecurity AS forced FROM pg_class WHERE relname IN ('contacts', 'events', 'email_logs', 'refusals',
         'workspaces', 'subscriptions', 'billing_events')`,
    ),
  ).toEqual([{ forced: true }]));

test('a second run finds nothing to do', async () => expect(await migrate(url, SCHEMA)).toEqual([]));
