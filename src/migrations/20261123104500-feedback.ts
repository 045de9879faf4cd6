/** What is heard of messages after they left: words as they come, what they make of messages, and figures of it. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  DISPATCH_ROLE,
  OF_ENVIRONMENT,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const TABLES = `
ALTER TABLE email_logs
  ADD COLUMN delivered_at timestamptz(3), ADD COLUMN opened_at timestamptz(3), ADD COLUMN opens integer NOT NULL DEFAULT 0,
  ADD COLUMN machine_opens integer NOT NULL DEFAULT 0, ADD COLUMN clicked_at timestamptz(3),
  ADD COLUMN clicks integer NOT NULL DEFAULT 0, ADD COLUMN machine_clicks integer NOT NULL DEFAULT 0,
  ADD COLUMN click_marks jsonb NOT NULL DEFAULT '[]', ADD COLUMN bounced_at timestamptz(3), ADD COLUMN bounce_kind text,
  ADD COLUMN bounce_code text, ADD COLUMN bounce_detail text, ADD COLUMN complained_at timestamptz(3);
-- Providers name a message and not its tenant.
CREATE INDEX email_logs_by_id ON email_logs (id);

CREATE TABLE feedback (
  workspace_id uuid NOT NULL, id uuid NOT NULL, environment text NOT NULL, key text NOT NULL, type text NOT NULL,
  email_log_id uuid NOT NULL, facts jsonb NOT NULL, happened_at timestamptz(3) NOT NULL, due_at timestamptz(3),
  processed_at timestamptz(3),
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX feedback_of_key ON feedback (workspace_id, environment, key);
CREATE INDEX feedback_due ON feedback (workspace_id, environment, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX feedback_waiting ON feedback (workspace_id, email_log_id) WHERE processed_at IS NULL;

CREATE TABLE engagement_hours (
  workspace_id uuid NOT NULL, environment text NOT NULL, source_id uuid NOT NULL, hour timestamptz(3) NOT NULL,
  delivered bigint NOT NULL, opened bigint NOT NULL, clicked bigint NOT NULL, bounced bigint NOT NULL,
  hard_bounced bigint NOT NULL, complained bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, source_id, hour)) WITH (fillfactor = 50);
`;

const NEW_TABLES = ['feedback', 'engagement_hours'];

export class Feedback20261123104500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    for (const table of NEW_TABLES) await protect(runner, table, OF_ENVIRONMENT);
    await runner.query(`GRANT SELECT (id) ON email_logs TO ${DISPATCH_ROLE}`);
    await runner.query(`GRANT SELECT (workspace_id, environment, due_at) ON feedback TO ${DISPATCH_ROLE}`);
    await runner.query(`CREATE POLICY dispatch ON feedback FOR SELECT TO ${DISPATCH_ROLE} USING (true)`);
    await assumeOneTenant(runner, [], NEW_TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of NEW_TABLES) await runner.query(`DROP TABLE ${table}`);
    await runner.query(`
      REVOKE SELECT (id) ON email_logs FROM ${DISPATCH_ROLE};
      DROP INDEX email_logs_by_id;
      ALTER TABLE email_logs DROP COLUMN delivered_at, DROP COLUMN opened_at, DROP COLUMN opens, DROP COLUMN machine_opens,
        DROP COLUMN clicked_at, DROP COLUMN clicks, DROP COLUMN machine_clicks, DROP COLUMN click_marks, DROP COLUMN bounced_at,
        DROP COLUMN bounce_kind, DROP COLUMN bounce_code, DROP COLUMN bounce_detail, DROP COLUMN complained_at;`);
  }
}
