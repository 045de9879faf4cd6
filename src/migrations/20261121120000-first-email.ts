/**
 * Workspaces, identities, contacts, events, templates, flows, trips and the ledger of sends, with the row-level
 * security that keeps tenants apart. The roles are made by platform/database/migrate before this runs.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  APP_ROLE,
  assumeOneTenant,
  CURRENT_WORKSPACE,
  DISPATCH_ROLE,
  OF_ENVIRONMENT,
  OF_WORKSPACE,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

/** The digest of the API key that the caller holds, while it is being looked up. */
const CURRENT_KEY_HASH = `nullif(current_setting('app.key_hash', true), '')`;

/** The caller's subject at the identity provider, while memberships are being looked up. */
const CURRENT_SUBJECT = `nullif(current_setting('app.identity_subject', true), '')`;

/** The caller's verified email in lower case, while memberships are being looked up. */
const CURRENT_EMAIL_KEY = `nullif(current_setting('app.identity_email', true), '')`;

const TABLES = `
CREATE TABLE workspaces (
  id uuid NOT NULL, name text NOT NULL, plan text NOT NULL, status text NOT NULL DEFAULT 'active',
  suspended_reason text, payment_customer_id text, payment_subscription_id text,
  account_email_verified boolean NOT NULL DEFAULT false, live_at timestamptz(3),
  company jsonb NOT NULL DEFAULT '{}', sender jsonb NOT NULL DEFAULT '{}', settings jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (id));

CREATE TABLE members (
  workspace_id uuid NOT NULL, id uuid NOT NULL, email text NOT NULL, email_key text NOT NULL,
  name text NOT NULL DEFAULT '', role text NOT NULL, is_active boolean NOT NULL, identity_subject text,
  invited_by uuid, invite_accepted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX members_email ON members (workspace_id, email_key);
CREATE INDEX members_by_identity ON members (identity_subject);
CREATE INDEX members_by_email ON members (email_key);

CREATE TABLE api_keys (
  workspace_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, scope text NOT NULL, environment text NOT NULL,
  key_hash text NOT NULL, key_hint text NOT NULL, rate_limit_per_minute integer, revoked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX api_keys_hash ON api_keys (key_hash);

CREATE TABLE contacts (
  workspace_id uuid NOT NULL, id uuid NOT NULL, environment text NOT NULL, external_id text NOT NULL,
  email text, phone text, first_name text, last_name text, product_type text,
  subscription_status text NOT NULL DEFAULT 'subscribed', timezone text, locale text,
  properties jsonb NOT NULL DEFAULT '{}', tags text[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX contacts_external_id ON contacts (workspace_id, external_id, environment);

CREATE TABLE events (
  workspace_id uuid NOT NULL, id uuid NOT NULL, environment text NOT NULL, external_id text NOT NULL,
  event_name text NOT NULL, attributes jsonb NOT NULL, contact jsonb,
  occurred_at timestamptz(3) NOT NULL, received_at timestamptz(3) NOT NULL, processed_at timestamptz(3),
  PRIMARY KEY (workspace_id, id));
CREATE INDEX events_pending ON events (workspace_id, environment, id) WHERE processed_at IS NULL;
CREATE INDEX events_latest ON events (workspace_id, external_id, event_name, environment, occurred_at);

CREATE TABLE idempotency_keys (
  workspace_id uuid NOT NULL, environment text NOT NULL, key text NOT NULL, event_id uuid NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, environment, key));
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (workspace_id, expires_at);

CREATE TABLE templates (
  workspace_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, slug text NOT NULL, subject text,
  body_html text NOT NULL, body_text text NOT NULL, body_ast jsonb, template_language text,
  is_active boolean NOT NULL DEFAULT true, version integer NOT NULL, validation_status text NOT NULL,
  validation_errors jsonb NOT NULL DEFAULT '[]', created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX templates_slug ON templates (workspace_id, slug);

CREATE TABLE segments (
  workspace_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, match text NOT NULL,
  conditions jsonb NOT NULL DEFAULT '[]', created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX segments_name ON segments (workspace_id, name);

CREATE TABLE flows (
  workspace_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, description text NOT NULL DEFAULT '',
  trigger_event text NOT NULL, trigger_conditions jsonb NOT NULL DEFAULT '{}', segment_id uuid,
  steps jsonb NOT NULL DEFAULT '[]', content_type text NOT NULL, status text NOT NULL, version integer NOT NULL,
  tags text[] NOT NULL DEFAULT '{}', settings jsonb NOT NULL DEFAULT '{}', created_by text NOT NULL,
  archived_at timestamptz(3), created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE INDEX flows_trigger ON flows (workspace_id, trigger_event) WHERE status = 'active';

CREATE TABLE flow_versions (
  workspace_id uuid NOT NULL, id uuid NOT NULL, flow_id uuid NOT NULL, version integer NOT NULL, name text NOT NULL,
  description text NOT NULL, trigger_event text NOT NULL, trigger_conditions jsonb NOT NULL, steps jsonb NOT NULL,
  content_type text NOT NULL, status_at_snapshot text NOT NULL, tags text[] NOT NULL, settings jsonb NOT NULL,
  changed_by text NOT NULL, change_summary text, created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE INDEX flow_versions_number ON flow_versions (workspace_id, flow_id, version);

CREATE TABLE trips (
  workspace_id uuid NOT NULL, id uuid NOT NULL, environment text NOT NULL, flow_id uuid NOT NULL,
  flow_version integer NOT NULL, contact_id uuid NOT NULL, trigger_event_id uuid NOT NULL, status text NOT NULL,
  step integer NOT NULL, resume_at timestamptz(3), started_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL, completed_at timestamptz(3), ended_reason text,
  PRIMARY KEY (workspace_id, id)) WITH (fillfactor = 80);
CREATE INDEX trips_due ON trips (workspace_id, environment, resume_at) WHERE resume_at IS NOT NULL;
CREATE INDEX trips_of_contact ON trips (workspace_id, contact_id, flow_id, environment);
CREATE UNIQUE INDEX trips_of_event ON trips (workspace_id, trigger_event_id, flow_id);

CREATE TABLE email_logs (
  workspace_id uuid NOT NULL, id uuid NOT NULL, environment text NOT NULL, flow_id uuid, trip_id uuid, step integer,
  contact_id uuid NOT NULL, trigger_event_id uuid, template_slug text NOT NULL, template_version integer,
  content_type text NOT NULL, priority smallint NOT NULL, options jsonb NOT NULL DEFAULT '{}', status text NOT NULL,
  to_email text, from_email text, subject text, message_id text NOT NULL, attempts integer NOT NULL DEFAULT 0,
  reissues integer NOT NULL DEFAULT 0, next_attempt_at timestamptz(3) NOT NULL, sender bigint, error_code text,
  error_detail text, suppressed_reason text, created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  PRIMARY KEY (workspace_id, id)) WITH (fillfactor = 80);
CREATE INDEX email_logs_queued ON email_logs (workspace_id, environment, priority, next_attempt_at) WHERE status = 'queued';
CREATE INDEX email_logs_sending ON email_logs (workspace_id, environment, sender) WHERE status = 'sending';
CREATE UNIQUE INDEX email_logs_of_trip ON email_logs (workspace_id, trip_id, step) WHERE trip_id IS NOT NULL;
CREATE INDEX email_logs_of_contact ON email_logs (workspace_id, contact_id, environment, created_at);

CREATE TABLE product_clock (
  id smallint NOT NULL, real_anchor timestamptz(3) NOT NULL, product_anchor timestamptz(3) NOT NULL,
  speed double precision NOT NULL, PRIMARY KEY (id));
`;

const BY_WORKSPACE = ['members', 'api_keys', 'segments', 'templates', 'flows', 'flow_versions'];
const BY_ENVIRONMENT = ['contacts', 'events', 'idempotency_keys', 'trips', 'email_logs'];

/** What the dispatcher may see of each tenant's work: where it is and when it is due, nothing of its content. */
const DISPATCH: Readonly<Record<string, string>> = {
  workspaces: 'id, name, payment_customer_id, payment_subscription_id',
  events: 'workspace_id, environment, id, processed_at',
  trips: 'workspace_id, environment, resume_at, status',
  email_logs: 'workspace_id, environment, status, priority, next_attempt_at, sender',
};

export class FirstEmail20261121120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await protect(runner, 'workspaces', `id = ${CURRENT_WORKSPACE}`);
    for (const table of BY_WORKSPACE) await protect(runner, table, OF_WORKSPACE);
    for (const table of BY_ENVIRONMENT) await protect(runner, table, OF_ENVIRONMENT);

    await runner.query(
      `CREATE POLICY holder ON api_keys FOR SELECT TO ${APP_ROLE} USING (key_hash = ${CURRENT_KEY_HASH})`,
    );
    await runner.query(
      `CREATE POLICY own ON members FOR SELECT TO ${APP_ROLE}
         USING (identity_subject = ${CURRENT_SUBJECT} OR (identity_subject IS NULL AND email_key = ${CURRENT_EMAIL_KEY}))`,
    );
    for (const [table, columns] of Object.entries(DISPATCH)) {
      await runner.query(`GRANT SELECT (${columns}) ON ${table} TO ${DISPATCH_ROLE}`);
      await runner.query(`CREATE POLICY dispatch ON ${table} FOR SELECT TO ${DISPATCH_ROLE} USING (true)`);
    }
    await runner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON product_clock TO ${APP_ROLE}`);
    await runner.query(ANNOUNCE);
    await assumeOneTenant(runner, BY_WORKSPACE, BY_ENVIRONMENT);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [...BY_ENVIRONMENT, ...BY_WORKSPACE, 'workspaces', 'product_clock'])
      await runner.query(`DROP TABLE ${table}`);
    await runner.query('DROP FUNCTION announce_change()');
  }
}

/**
 * Processes keep keys, workspaces, flows and templates in memory; a change of one is announced to all of them,
 * whoever makes it. The payload is the table and the workspace.
 */
const ANNOUNCE = `
CREATE FUNCTION announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed record := coalesce(NEW, OLD);
BEGIN
  PERFORM pg_notify('waypost_changes', TG_TABLE_NAME || ' ' || CASE TG_TABLE_NAME WHEN 'workspaces' THEN to_jsonb(changed)->>'id' ELSE to_jsonb(changed)->>'workspace_id' END);
  RETURN NULL;
END $$;
CREATE TRIGGER announce AFTER UPDATE OR DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION announce_change();
CREATE TRIGGER announce AFTER UPDATE OR DELETE ON workspaces FOR EACH ROW EXECUTE FUNCTION announce_change();
CREATE TRIGGER announce AFTER UPDATE OR DELETE ON members FOR EACH ROW EXECUTE FUNCTION announce_change();
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON templates FOR EACH ROW EXECUTE FUNCTION announce_change();
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON flows FOR EACH ROW EXECUTE FUNCTION announce_change();
`;
