/** The ledger is looked through by status, by source and in the test environment alone; what a pause holds is found in its order. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = `
DROP INDEX email_logs_held;
CREATE INDEX email_logs_held ON email_logs (workspace_id, environment, id)
  WHERE status = 'queued' AND waits_for IN ('send_window', 'do_not_disturb', 'sending_pause');
CREATE INDEX email_logs_by_status ON email_logs (workspace_id, environment, status, id)
  WHERE status IN ('suppressed', 'failed', 'unknown', 'cancelled');
CREATE INDEX email_logs_of_source ON email_logs (workspace_id, source_id, environment, id) WHERE source_id IS NOT NULL;
CREATE INDEX email_logs_of_tests ON email_logs (workspace_id, id) WHERE environment = 'test';
`;

export class IndexesOfMessages20261123180000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX email_logs_of_tests;
      DROP INDEX email_logs_of_source;
      DROP INDEX email_logs_by_status;
      DROP INDEX email_logs_held;
      CREATE INDEX email_logs_held ON email_logs (workspace_id, environment, id)
        WHERE status = 'queued' AND waits_for IN ('send_window', 'do_not_disturb');`);
  }
}
