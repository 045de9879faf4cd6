/** Mail of the product's own to members: invitations, and news of their workspace. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  DISPATCH_ROLE,
  OF_WORKSPACE,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const TABLE = `
CREATE TABLE notices (
  workspace_id uuid NOT NULL, id uuid NOT NULL, purpose text NOT NULL, subject_id uuid NOT NULL, kind text NOT NULL,
  to_email text NOT NULL, content jsonb, status text NOT NULL DEFAULT 'queued', due_at timestamptz(3) NOT NULL,
  from_at timestamptz(3) NOT NULL, attempts integer NOT NULL DEFAULT 0, reissues integer NOT NULL DEFAULT 0,
  sender integer, error_code text, created_at timestamptz(3) NOT NULL, ended_at timestamptz(3),
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX notices_purpose ON notices (workspace_id, purpose);
CREATE INDEX notices_due ON notices (workspace_id, due_at);
CREATE INDEX notices_of_kind ON notices (workspace_id, kind, created_at);
CREATE INDEX notices_of_subject ON notices (workspace_id, subject_id);
`;

export class Notices20261124030000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    await protect(runner, 'notices', OF_WORKSPACE);
    await runner.query(`GRANT SELECT (workspace_id, due_at) ON notices TO ${DISPATCH_ROLE}`);
    await runner.query(`CREATE POLICY dispatch ON notices FOR SELECT TO ${DISPATCH_ROLE} USING (true)`);
    await assumeOneTenant(runner, ['notices'], []);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notices');
  }
}
