/** Which plans a workspace had before, so that what they had it keep does not go the moment that the plan becomes smaller. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DISPATCH_ROLE } from './frozen/20261121120000-tenant-tables.js';

/** A change within thirty days of the one before adds to what is remembered, each plan once. */
const UP = `
ALTER TABLE workspaces ADD COLUMN former_plans text[] NOT NULL DEFAULT '{}', ADD COLUMN plan_changed_at timestamptz(3);

CREATE FUNCTION remember_plan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.former_plans := CASE WHEN OLD.plan_changed_at > NEW.updated_at - interval '30 days'
    THEN ARRAY(SELECT DISTINCT p FROM unnest(OLD.former_plans || OLD.plan) AS p ORDER BY p) ELSE ARRAY[OLD.plan] END;
  NEW.plan_changed_at := NEW.updated_at;
  RETURN NEW;
END $$;
CREATE TRIGGER remember_plan BEFORE UPDATE OF plan ON workspaces
  FOR EACH ROW WHEN (OLD.plan IS DISTINCT FROM NEW.plan) EXECUTE FUNCTION remember_plan();
GRANT SELECT (former_plans, plan_changed_at) ON workspaces TO ${DISPATCH_ROLE};
`;

export class PlanChanges20261124032000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER remember_plan ON workspaces');
    await runner.query('DROP FUNCTION remember_plan()');
    await runner.query(`REVOKE SELECT (former_plans, plan_changed_at) ON workspaces FROM ${DISPATCH_ROLE}`);
    await runner.query('ALTER TABLE workspaces DROP COLUMN former_plans, DROP COLUMN plan_changed_at');
  }
}
