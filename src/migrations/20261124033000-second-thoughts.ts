/** Looks that stay cheap, deletions that fail and wait, and the moment of a change of plan however it is made. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DISPATCH_ROLE } from './frozen/20261121120000-tenant-tables.js';

/** @param at the moment of the change. */
const rememberPlan = (at: string): string => `
CREATE OR REPLACE FUNCTION remember_plan() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed_at timestamptz(3) := ${at};
BEGIN
  NEW.former_plans := CASE WHEN OLD.plan_changed_at > changed_at - interval '30 days'
    THEN ARRAY(SELECT DISTINCT p FROM unnest(OLD.former_plans || OLD.plan) AS p ORDER BY p) ELSE ARRAY[OLD.plan] END;
  NEW.plan_changed_at := changed_at;
  RETURN NEW;
END $$`;

export class SecondThoughts20261124033000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX notices_earliest ON notices (due_at)');
    await runner.query('ALTER TABLE workspaces ADD COLUMN deletion_retry_at timestamptz(3)');
    await runner.query(`GRANT SELECT (deletion_retry_at) ON workspaces TO ${DISPATCH_ROLE}`);
    // Who changes a plan by hand leaves updated_at as it was.
    await runner.query(rememberPlan('greatest(NEW.updated_at, now())'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(rememberPlan('NEW.updated_at'));
    await runner.query(`REVOKE SELECT (deletion_retry_at) ON workspaces FROM ${DISPATCH_ROLE}`);
    await runner.query('ALTER TABLE workspaces DROP COLUMN deletion_retry_at');
    await runner.query('DROP INDEX notices_earliest');
  }
}
