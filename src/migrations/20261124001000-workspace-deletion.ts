/**
 * Workspaces that are to be deleted, and when: everything of theirs goes, the owner and evidence included, which can be removed
 * while a workspace is being deleted and at no other time.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { APP_ROLE, DISPATCH_ROLE } from './frozen/20261121120000-tenant-tables.js';

const EVIDENCE = ['audit_log', 'preference_changes'];

const COLUMNS = `
ALTER TABLE workspaces ADD COLUMN deletion_at timestamptz(3), ADD COLUMN deletion_begun_at timestamptz(3);
CREATE INDEX workspaces_to_delete ON workspaces (deletion_at) WHERE deletion_at IS NOT NULL;
GRANT SELECT (deletion_at, deletion_begun_at) ON workspaces TO ${DISPATCH_ROLE};
`;

/** @param exempt which workspaces may be without an owner. */
const keepOwner = (exempt: string): string => `
CREATE OR REPLACE FUNCTION keep_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM workspaces WHERE id = OLD.workspace_id${exempt})
     AND NOT EXISTS (SELECT 1 FROM members WHERE workspace_id = OLD.workspace_id AND role = 'owner' AND is_active) THEN
    RAISE EXCEPTION 'workspace % would have no owner', OLD.workspace_id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$`;

export class WorkspaceDeletion20261124001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
    await runner.query(keepOwner(' AND deletion_begun_at IS NULL'));
    for (const table of EVIDENCE) {
      await runner.query(
        `CREATE POLICY with_its_workspace ON ${table} AS RESTRICTIVE FOR DELETE TO ${APP_ROLE}
         USING (EXISTS (SELECT 1 FROM workspaces w WHERE w.id = ${table}.workspace_id AND w.deletion_begun_at IS NOT NULL))`,
      );
      await runner.query(`GRANT DELETE ON ${table} TO ${APP_ROLE}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of EVIDENCE) {
      await runner.query(`REVOKE DELETE ON ${table} FROM ${APP_ROLE}`);
      await runner.query(`DROP POLICY with_its_workspace ON ${table}`);
    }
    await runner.query(`REVOKE SELECT (deletion_at, deletion_begun_at) ON workspaces FROM ${DISPATCH_ROLE}`);
    await runner.query(keepOwner(''));
    await runner.query('ALTER TABLE workspaces DROP COLUMN deletion_at, DROP COLUMN deletion_begun_at');
  }
}
