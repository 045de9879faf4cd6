/** Who changed what of members and of what holds for a whole workspace; the service can add and read rows, and nothing else. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { APP_ROLE, assumeOneTenant, OF_WORKSPACE, protect } from './frozen/20261121120000-tenant-tables.js';

const TABLE = `
CREATE TABLE audit_log (
  workspace_id uuid NOT NULL, id uuid NOT NULL, at timestamptz(3) NOT NULL, actor text NOT NULL, network text,
  action text NOT NULL, subject_id text NOT NULL, before jsonb, after jsonb,
  PRIMARY KEY (workspace_id, id));
CREATE INDEX audit_log_of_subject ON audit_log (workspace_id, subject_id, id);
`;

export class AuditLog20261123160000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    await protect(runner, 'audit_log', OF_WORKSPACE);
    await runner.query(`REVOKE UPDATE, DELETE ON audit_log FROM ${APP_ROLE}`);
    await assumeOneTenant(runner, ['audit_log'], []);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_log');
  }
}
