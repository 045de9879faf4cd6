/**
 * The data plane: search over contacts, their number, latest events, monthly usage, who is in which segment, and the
 * role that reads over whole tenants. Keeps sections 2.11, 4.10, 6.3 and 8.2.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  DISPATCH_ROLE,
  OF_ENVIRONMENT,
  protect,
  READER_ROLE,
} from './frozen/20261121120000-tenant-tables.js';

const TABLES = `
CREATE TABLE contact_counts (
  workspace_id uuid NOT NULL, environment text NOT NULL, contacts integer NOT NULL,
  PRIMARY KEY (workspace_id, environment));

CREATE TABLE monthly_usage (
  workspace_id uuid NOT NULL, environment text NOT NULL, month date NOT NULL,
  events bigint NOT NULL DEFAULT 0, emails bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, environment, month)) WITH (fillfactor = 50);

CREATE TABLE latest_events (
  workspace_id uuid NOT NULL, environment text NOT NULL, external_id text NOT NULL, event_name text NOT NULL,
  event_id uuid NOT NULL, attributes jsonb NOT NULL, occurred_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, external_id, event_name, environment)) WITH (fillfactor = 80);
CREATE INDEX latest_events_names ON latest_events (workspace_id, environment, event_name);

CREATE TABLE segment_members (
  workspace_id uuid NOT NULL, environment text NOT NULL, segment_id uuid NOT NULL, contact_id uuid NOT NULL,
  entered_at timestamptz(3) NOT NULL, left_at timestamptz(3),
  PRIMARY KEY (workspace_id, segment_id, contact_id));
CREATE INDEX segment_members_of_contact ON segment_members (workspace_id, contact_id);

CREATE TABLE segment_refreshes (
  workspace_id uuid NOT NULL, environment text NOT NULL, segment_id uuid NOT NULL, refresh_at timestamptz(3) NOT NULL,
  refreshed_at timestamptz(3), members integer, error text,
  PRIMARY KEY (workspace_id, segment_id, environment));
CREATE INDEX segment_refreshes_due ON segment_refreshes (workspace_id, environment, refresh_at);

CREATE TABLE segment_touches (
  workspace_id uuid NOT NULL, environment text NOT NULL, contact_id uuid NOT NULL, touched_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, contact_id));
CREATE INDEX segment_touches_due ON segment_touches (workspace_id, environment, touched_at);

-- Whoever unsubscribed before being deleted comes back unsubscribed.
ALTER TABLE contacts ADD COLUMN opted_out boolean NOT NULL DEFAULT false;

ALTER TABLE segments ADD COLUMN description text NOT NULL DEFAULT '', ADD COLUMN created_by text;

CREATE INDEX contacts_email ON contacts (workspace_id, lower(email), environment) WHERE email IS NOT NULL;

DROP INDEX events_latest;
CREATE INDEX events_of_contact ON events (workspace_id, external_id, environment, occurred_at);
`;

/** Substring search, where the server has the extension; without it a search reads the tenant's contacts. */
const SEARCH = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX contacts_search ON contacts USING gin (
  (lower(external_id || chr(10) || coalesce(email, '') || chr(10) || coalesce(first_name, '') || chr(10) || coalesce(last_name, '')))
  gin_trgm_ops)`;

/** What is known already; the members of segments are looked up at once. The owner of the tables is bound by their policies, so they are lifted for the moment. */
const FILL = `
ALTER TABLE contacts NO FORCE ROW LEVEL SECURITY;
ALTER TABLE events NO FORCE ROW LEVEL SECURITY;
ALTER TABLE segments NO FORCE ROW LEVEL SECURITY;
INSERT INTO contact_counts SELECT workspace_id, environment, count(*) FROM contacts
  WHERE subscription_status <> 'deleted' GROUP BY 1, 2;
INSERT INTO latest_events SELECT DISTINCT ON (workspace_id, external_id, event_name, environment)
  workspace_id, environment, external_id, event_name, id, attributes, occurred_at FROM events WHERE processed_at IS NOT NULL
  ORDER BY workspace_id, external_id, event_name, environment, occurred_at DESC, id DESC;
INSERT INTO monthly_usage (workspace_id, environment, month, events)
  SELECT workspace_id, environment, date_trunc('month', received_at AT TIME ZONE 'UTC')::date, count(*) FROM events GROUP BY 1, 2, 3;
ALTER TABLE contacts FORCE ROW LEVEL SECURITY;
INSERT INTO segment_refreshes (workspace_id, environment, segment_id, refresh_at)
  SELECT workspace_id, e, id, updated_at FROM segments, unnest(ARRAY['live', 'test']) AS e;
ALTER TABLE events FORCE ROW LEVEL SECURITY;
ALTER TABLE segments FORCE ROW LEVEL SECURITY;
`;

const NEW_TABLES = [
  'contact_counts',
  'monthly_usage',
  'latest_events',
  'segment_members',
  'segment_refreshes',
  'segment_touches',
];

/** What the reader of whole tenants may see. */
const SURVEYED: readonly string[] = [
  'contacts',
  'events',
  'latest_events',
  'segment_members',
  'trips',
  'email_logs',
  'flows',
  'templates',
  'segments',
];

/** Scheduling columns, and the plan, which says how long events are kept. */
const DISPATCH: Readonly<Record<string, string>> = {
  segment_refreshes: 'workspace_id, environment, refresh_at',
  segment_touches: 'workspace_id, environment, touched_at',
  idempotency_keys: 'workspace_id, environment, expires_at',
};

export class DataPlane20261121200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    const available = (await runner.query(
      `SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'`,
    )) as unknown[];
    if (available.length > 0) await runner.query(SEARCH);
    await runner.query(FILL);
    for (const table of NEW_TABLES) await protect(runner, table, OF_ENVIRONMENT);
    for (const [table, columns] of Object.entries(DISPATCH)) {
      await runner.query(`GRANT SELECT (${columns}) ON ${table} TO ${DISPATCH_ROLE}`);
      await runner.query(`CREATE POLICY dispatch ON ${table} FOR SELECT TO ${DISPATCH_ROLE} USING (true)`);
    }
    await runner.query(`GRANT SELECT (plan) ON workspaces TO ${DISPATCH_ROLE}`);
    for (const table of SURVEYED) {
      await runner.query(`GRANT SELECT ON ${table} TO ${READER_ROLE}`);
      await runner.query(`CREATE POLICY reader ON ${table} FOR SELECT TO ${READER_ROLE} USING (true)`);
    }
    await runner.query(
      `CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON segments FOR EACH ROW EXECUTE FUNCTION announce_change()`,
    );
    await assumeOneTenant(runner, [], NEW_TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER announce ON segments');
    for (const table of SURVEYED.filter((name) => !NEW_TABLES.includes(name))) {
      await runner.query(`DROP POLICY reader ON ${table}`);
      await runner.query(`REVOKE SELECT ON ${table} FROM ${READER_ROLE}`);
    }
    await runner.query('DROP POLICY dispatch ON idempotency_keys');
    await runner.query(`REVOKE SELECT ON idempotency_keys FROM ${DISPATCH_ROLE}`);
    await runner.query(`REVOKE SELECT (plan) ON workspaces FROM ${DISPATCH_ROLE}`);
    for (const table of NEW_TABLES) await runner.query(`DROP TABLE ${table}`);
    await runner.query('ALTER TABLE contacts DROP COLUMN opted_out');
    await runner.query('ALTER TABLE segments DROP COLUMN description, DROP COLUMN created_by');
    await runner.query('DROP INDEX IF EXISTS contacts_search, contacts_email, events_of_contact');
    await runner.query(
      'CREATE INDEX events_latest ON events (workspace_id, external_id, event_name, environment, occurred_at)',
    );
  }
}
