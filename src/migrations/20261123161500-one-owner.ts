/**
 * A workspace has one owner, section 2.1: an index allows no second one, and a trigger looks at the end of each transaction
 * that the last one has not gone. Where there are several, the one who came first stays the owner, and the others are admins.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const ONE_OWNER = `
UPDATE members m SET role = 'admin', updated_at = now() WHERE role = 'owner' AND EXISTS (
  SELECT 1 FROM members o WHERE o.workspace_id = m.workspace_id AND o.role = 'owner' AND o.id < m.id);
CREATE UNIQUE INDEX members_owner ON members (workspace_id) WHERE role = 'owner';

CREATE FUNCTION keep_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM workspaces WHERE id = OLD.workspace_id)
     AND NOT EXISTS (SELECT 1 FROM members WHERE workspace_id = OLD.workspace_id AND role = 'owner' AND is_active) THEN
    RAISE EXCEPTION 'workspace % would have no owner', OLD.workspace_id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER keep_owner AFTER UPDATE OR DELETE ON members DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.role = 'owner') EXECUTE FUNCTION keep_owner();
`;

export class OneOwner20261123161500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The owner of the tables is bound by their policies, so they are lifted for the moment.
    await runner.query('ALTER TABLE members NO FORCE ROW LEVEL SECURITY');
    await runner.query(ONE_OWNER);
    await runner.query('ALTER TABLE members FORCE ROW LEVEL SECURITY');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER keep_owner ON members;
      DROP FUNCTION keep_owner();
      DROP INDEX members_owner;`);
  }
}
