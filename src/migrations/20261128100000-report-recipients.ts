/**
 * Recipients of scheduled reports with their state, and ids of product mail that the dispatcher role can look up, so that
 * bounces find it. Recipients of existing schedules who are not members are asked at once whether they want the reports.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  DISPATCH_ROLE,
  OF_WORKSPACE,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const TABLE = `
CREATE TABLE report_recipients (
  workspace_id uuid NOT NULL, id uuid NOT NULL, report_id uuid NOT NULL, address text NOT NULL, status text NOT NULL,
  confirmations_sent smallint NOT NULL DEFAULT 0, asked_at timestamptz(3), changed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX report_recipients_of_address ON report_recipients (workspace_id, report_id, address);
CREATE INDEX notices_by_id ON notices (id);
`;

export class ReportRecipients20261128100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    await protect(runner, 'report_recipients', OF_WORKSPACE);
    await runner.query(`GRANT SELECT (id) ON notices TO ${DISPATCH_ROLE}`);
    // The owner of the table is bound by its policies, so they are lifted for the moment.
    await runner.query('ALTER TABLE report_schedules NO FORCE ROW LEVEL SECURITY');
    await runner.query(
      'UPDATE report_schedules SET look_at = least(look_at, now()) WHERE look_at IS NOT NULL',
    );
    await runner.query('ALTER TABLE report_schedules FORCE ROW LEVEL SECURITY');
    await assumeOneTenant(runner, ['report_recipients'], []);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`REVOKE SELECT (id) ON notices FROM ${DISPATCH_ROLE}`);
    await runner.query('DROP INDEX notices_by_id');
    await runner.query('DROP TABLE report_recipients');
  }
}
