/** Conversion goals of flows, section 2.5: what a flow is to bring its contacts to do. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assumeOneTenant, OF_WORKSPACE, protect } from './frozen/20261121120000-tenant-tables.js';

const TABLES = `
CREATE TABLE flow_goals (
  workspace_id uuid NOT NULL, id uuid NOT NULL, flow_id uuid NOT NULL, position integer NOT NULL, name text NOT NULL,
  event_name text NOT NULL, event_filters jsonb NOT NULL DEFAULT '{}', attribution_window_value integer NOT NULL,
  attribution_window_unit text NOT NULL, exit_on_conversion boolean NOT NULL,
  created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX flow_goals_event ON flow_goals (workspace_id, flow_id, event_name);
-- Each batch of events asks which goals its names are.
CREATE INDEX flow_goals_listening ON flow_goals (workspace_id, event_name);
`;

export class FlowGoals20261122111700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await protect(runner, 'flow_goals', OF_WORKSPACE);
    await assumeOneTenant(runner, ['flow_goals'], []);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE flow_goals');
  }
}
