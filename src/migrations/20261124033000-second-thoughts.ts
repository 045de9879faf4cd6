/** Looks that stay cheap, deletions that fail and wait, and the moment of a change of plan however it is made. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DISPATCH_ROLE } from './frozen/20261121120000-tenant-tables.js';

/** Who changes a plan by hand leaves updated_at as it was. */
const REMEMBER_PLAN = `
CREATE OR REPLACE FUNCTION remember_plan() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed_at timestamptz(3) := CASE WHEN NEW.updated_at = OLD.updated_at THEN now() ELSE NEW.updated_at END;
BEGIN
  NEW.former_plans := CASE WHEN OLD.plan_changed_at > changed_at - interval '30 days'
    THEN ARRAY(SELECT DISTINCT p FROM unnest(OLD.former_plans || OLD.plan) AS p ORDER BY p) ELSE ARRAY[OLD.plan] END;
  NEW.plan_changed_at := changed_at;
  RETURN NEW;
END $$`;
const AS_BEFORE = `
CREATE OR REPLACE FUNCTION remember_plan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.former_plans := CASE WHEN OLD.plan_changed_at > NEW.updated_at - interval '30 days'
    THEN ARRAY(SELECT DISTINCT p FROM unnest(OLD.former_plans || OLD.plan) AS p ORDER BY p) ELSE ARRAY[OLD.plan] END;
  NEW.plan_changed_at := NEW.updated_at;
  RETURN NEW;
END $$`;

/** Evidence can be removed while its workspace is deleted: whoever says that it is cannot take that back. */
const NO_WAY_BACK = `
CREATE FUNCTION no_way_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.deletion_begun_at IS NOT NULL AND (NEW.deletion_begun_at, NEW.deletion_at)
       IS DISTINCT FROM (OLD.deletion_begun_at, OLD.deletion_at)
     OR NEW.deletion_begun_at IS NOT NULL AND NEW.deletion_at IS NULL THEN
    RAISE EXCEPTION 'workspace % is being deleted, or was not to be', OLD.id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER no_way_back BEFORE UPDATE OF deletion_begun_at, deletion_at ON workspaces
  FOR EACH ROW EXECUTE FUNCTION no_way_back()`;

export class SecondThoughts20261124033000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(NO_WAY_BACK);
    await runner.query('CREATE INDEX notices_earliest ON notices (due_at)');
    await runner.query('ALTER TABLE workspaces ADD COLUMN deletion_retry_at timestamptz(3)');
    await runner.query(`GRANT SELECT (deletion_retry_at) ON workspaces TO ${DISPATCH_ROLE}`);
    await runner.query(`GRANT SELECT (processed_at) ON billing_events TO ${DISPATCH_ROLE}`);
    await runner.query(REMEMBER_PLAN);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER no_way_back ON workspaces');
    await runner.query('DROP FUNCTION no_way_back()');
    await runner.query(AS_BEFORE);
    await runner.query(`REVOKE SELECT (processed_at) ON billing_events FROM ${DISPATCH_ROLE}`);
    await runner.query(`REVOKE SELECT (deletion_retry_at) ON workspaces FROM ${DISPATCH_ROLE}`);
    await runner.query('ALTER TABLE workspaces DROP COLUMN deletion_retry_at');
    await runner.query('DROP INDEX notices_earliest');
  }
}
