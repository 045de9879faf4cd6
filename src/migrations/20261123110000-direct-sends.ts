/** Messages that requests ask for: their idempotency keys; and what all messages come to under the monthly cap. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assumeOneTenant, OF_ENVIRONMENT, protect } from './frozen/20261121120000-tenant-tables.js';

/** The count of emails gets a row of its own; nothing has been counted so far. */
const TABLES = `
CREATE TABLE send_keys (
  workspace_id uuid NOT NULL, environment text NOT NULL, key text NOT NULL, email_log_id uuid NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, environment, key));
CREATE INDEX send_keys_expiry ON send_keys (workspace_id, environment, expires_at);
CREATE INDEX send_keys_of_message ON send_keys (workspace_id, email_log_id);

CREATE TABLE monthly_emails (
  workspace_id uuid NOT NULL, environment text NOT NULL, month date NOT NULL, used bigint NOT NULL DEFAULT 0,
  reset_at timestamptz(3),
  PRIMARY KEY (workspace_id, environment, month)) WITH (fillfactor = 50);
ALTER TABLE monthly_usage DROP COLUMN emails;
ALTER TABLE email_logs ADD COLUMN charged_at timestamptz(3);
`;

const NEW_TABLES = ['send_keys', 'monthly_emails'];

export class DirectSends20261123110000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    for (const table of NEW_TABLES) await protect(runner, table, OF_ENVIRONMENT);
    await assumeOneTenant(runner, [], NEW_TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE email_logs DROP COLUMN charged_at;
      ALTER TABLE monthly_usage ADD COLUMN emails bigint NOT NULL DEFAULT 0;
      DROP TABLE monthly_emails;
      DROP TABLE send_keys;`);
  }
}
