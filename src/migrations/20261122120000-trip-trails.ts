/**
 * Trips keep what was decided of them and why, steps of flows count how often they were taken and which way, and what
 * people have done to trips by hand is written down. Those under way are found by the step at which they stand, those that
 * nothing wakes by themselves, and flows say when they came to their status.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  OF_ENVIRONMENT,
  OF_WORKSPACE,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const TABLES = `
-- A line each, see trips/domain/trail: appended, and never read by the engine.
ALTER TABLE trips ADD COLUMN trail text NOT NULL DEFAULT '';
DROP INDEX trips_under_way;
CREATE INDEX trips_under_way ON trips (workspace_id, flow_id, environment, last_step) WHERE completed_at IS NULL;
CREATE INDEX trips_unwoken ON trips (workspace_id, environment, id)
  WHERE resume_at IS NULL AND status IN ('active', 'paused');

-- Parallel transactions add to rows of their own slots.
CREATE TABLE step_tallies (
  workspace_id uuid NOT NULL, environment text NOT NULL, flow_id uuid NOT NULL, step_id integer NOT NULL,
  way text NOT NULL, slot smallint NOT NULL, taken bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, flow_id, step_id, way, slot)) WITH (fillfactor = 50);

CREATE TABLE trip_moves (
  workspace_id uuid NOT NULL, id uuid NOT NULL, environment text NOT NULL, trip_id uuid NOT NULL, flow_id uuid NOT NULL,
  step_id integer NOT NULL, kind text NOT NULL, moved_by text NOT NULL, moved_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE INDEX trip_moves_of_flow ON trip_moves (workspace_id, environment, flow_id, id);
CREATE INDEX trip_moves_of_trip ON trip_moves (workspace_id, environment, trip_id, id);

-- Those that a person may have sent again, of the steps of a flow.
CREATE INDEX email_logs_failed ON email_logs (workspace_id, environment, source_id, origin_step, id)
  WHERE status = 'failed' AND origin = 'trip';

-- Since when a flow has had its status, whichever way it came to it.
CREATE TABLE flow_statuses (
  workspace_id uuid NOT NULL, flow_id uuid NOT NULL, since timestamptz(3) NOT NULL, status text NOT NULL,
  PRIMARY KEY (workspace_id, flow_id, since));
CREATE FUNCTION note_flow_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO flow_statuses (workspace_id, flow_id, since, status)
  VALUES (NEW.workspace_id, NEW.id, NEW.updated_at, NEW.status)
  ON CONFLICT (workspace_id, flow_id, since) DO UPDATE SET status = excluded.status;
  RETURN NULL;
END $$;
CREATE TRIGGER note_status AFTER UPDATE OF status ON flows FOR EACH ROW WHEN (OLD.status <> NEW.status)
  EXECUTE FUNCTION note_flow_status();
`;

const NEW_TABLES = ['step_tallies', 'trip_moves'];

export class TripTrails20261122120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    for (const table of NEW_TABLES) await protect(runner, table, OF_ENVIRONMENT);
    await protect(runner, 'flow_statuses', OF_WORKSPACE);
    await assumeOneTenant(runner, ['flow_statuses'], NEW_TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of NEW_TABLES) await runner.query(`DROP TABLE ${table}`);
    await runner.query(`
      DROP TRIGGER note_status ON flows;
      DROP FUNCTION note_flow_status;
      DROP TABLE flow_statuses;
      DROP INDEX email_logs_failed;
      DROP INDEX trips_unwoken;
      DROP INDEX trips_under_way;
      CREATE INDEX trips_under_way ON trips (workspace_id, flow_id, environment) WHERE completed_at IS NULL;
      ALTER TABLE trips DROP COLUMN trail;`);
  }
}
