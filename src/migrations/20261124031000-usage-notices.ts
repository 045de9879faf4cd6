/** What people were told of their plan's caps, and what the dispatcher sees of how much of them is used. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  DISPATCH_ROLE,
  OF_ENVIRONMENT,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const TABLE = `
CREATE TABLE usage_notices (
  workspace_id uuid NOT NULL, environment text NOT NULL, limit_type text NOT NULL, since timestamptz(3) NOT NULL,
  maximum bigint NOT NULL, threshold integer NOT NULL, current bigint NOT NULL, at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, environment, limit_type, since, maximum, threshold));
`;

/** The month is changed by no count, so that counting rows stay as light as they are. */
const INDEXES = `
CREATE INDEX monthly_emails_of_month ON monthly_emails (month);
CREATE INDEX monthly_usage_of_month ON monthly_usage (month);
`;

const SEEN: Readonly<Record<string, string>> = {
  usage_notices: 'workspace_id, environment, limit_type, since, maximum, threshold',
  monthly_emails: 'workspace_id, environment, month, used, reset_at',
  monthly_usage: 'workspace_id, environment, month, events',
  contact_counts: 'workspace_id, environment, contacts',
};

export class UsageNotices20261124031000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    await runner.query(INDEXES);
    await protect(runner, 'usage_notices', OF_ENVIRONMENT);
    for (const [table, columns] of Object.entries(SEEN)) {
      await runner.query(`GRANT SELECT (${columns}) ON ${table} TO ${DISPATCH_ROLE}`);
      await runner.query(`CREATE POLICY dispatch ON ${table} FOR SELECT TO ${DISPATCH_ROLE} USING (true)`);
    }
    await assumeOneTenant(runner, [], ['usage_notices']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE usage_notices');
    for (const [table, columns] of Object.entries(SEEN)) {
      if (table === 'usage_notices') continue;
      await runner.query(`DROP POLICY dispatch ON ${table}`);
      await runner.query(`REVOKE SELECT (${columns}) ON ${table} FROM ${DISPATCH_ROLE}`);
    }
    await runner.query('DROP INDEX monthly_emails_of_month; DROP INDEX monthly_usage_of_month');
  }
}
