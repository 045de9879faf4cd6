/** What a workspace has used of its hourly allowances, such as test emails. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
CREATE TABLE allowances (
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  uses jsonb NOT NULL DEFAULT '[]',
  CONSTRAINT allowances_pkey PRIMARY KEY (workspace_id, name)
);
ALTER TABLE allowances ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON allowances TO waypost_app
  USING (workspace_id = (SELECT nullif(current_setting('app.workspace_id', true), '')::uuid))
  WITH CHECK (workspace_id = (SELECT nullif(current_setting('app.workspace_id', true), '')::uuid));
GRANT SELECT, INSERT, UPDATE, DELETE ON allowances TO waypost_app;
`;

export class Allowances20261122035947 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE allowances');
  }
}
