/**
 * What is to be done to all trips of a flow or of a contact is written down, so that it is done in bites and no crash
 * forgets it. Trips that failed are found by the step at which they did, and conversions by their event when it expires.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  DISPATCH_ROLE,
  OF_ENVIRONMENT,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const UP = `
CREATE TABLE trip_sweeps (
  workspace_id uuid NOT NULL, environment text NOT NULL, kind text NOT NULL, subject_id uuid NOT NULL,
  due_at timestamptz(3) NOT NULL, after_flow uuid, after_start timestamptz(3), after_trip uuid,
  PRIMARY KEY (workspace_id, environment, kind, subject_id));

CREATE INDEX trips_failed ON trips (workspace_id, flow_id, environment, last_step) WHERE status = 'failed';
-- Those that count nothing but their event, which go with it.
CREATE INDEX goal_conversions_of_event ON goal_conversions (workspace_id, event_id) WHERE NOT counts_trip;
`;

const DOWN = `
DROP INDEX goal_conversions_of_event;
DROP INDEX trips_failed;
DROP TABLE trip_sweeps;
`;

export class TripSweeps20261122220000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
    await protect(runner, 'trip_sweeps', OF_ENVIRONMENT);
    await runner.query(`GRANT SELECT (workspace_id, environment, due_at) ON trip_sweeps TO ${DISPATCH_ROLE}`);
    await runner.query(`CREATE POLICY dispatch ON trip_sweeps FOR SELECT TO ${DISPATCH_ROLE} USING (true)`);
    await assumeOneTenant(runner, [], ['trip_sweeps']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
