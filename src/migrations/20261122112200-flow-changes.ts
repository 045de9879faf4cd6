/**
 * Flows change: the highest id that a step of a flow has ever had is kept, so that none is given to another step, and
 * lists of flows, the most recently updated first, have an index.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const COUNT = (steps: string): string =>
  `CASE jsonb_typeof(${steps}) WHEN 'array' THEN jsonb_array_length(${steps}) ELSE 0 END`;

/** So far steps are a flat list, and their ids the places in it. The tables' owner is bound by their policies, so they are lifted for the moment. */
const UP = `
ALTER TABLE flows ADD COLUMN last_step_id integer NOT NULL DEFAULT 0, NO FORCE ROW LEVEL SECURITY;
ALTER TABLE flow_versions NO FORCE ROW LEVEL SECURITY;
UPDATE flows f SET last_step_id = greatest(${COUNT('f.steps')}, (
  SELECT max(${COUNT('v.steps')}) FROM flow_versions v WHERE v.workspace_id = f.workspace_id AND v.flow_id = f.id));
ALTER TABLE flow_versions FORCE ROW LEVEL SECURITY;
ALTER TABLE flows ALTER COLUMN last_step_id DROP DEFAULT, FORCE ROW LEVEL SECURITY;
CREATE INDEX flows_updated ON flows (workspace_id, updated_at, id);
`;

export class FlowChanges20261122112200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX flows_updated');
    await runner.query('ALTER TABLE flows DROP COLUMN last_step_id');
  }
}
