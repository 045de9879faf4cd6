/**
 * Conversions, section 2.6: which trip converted to which goal by which event, and how many by hour, kept as they are
 * recorded. Of a trip's conversions to a goal one counts the trip, and of an event's one counts the event, so that what is
 * left of a period beside its whole hours is counted row by row from indexes that hold nothing else.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assumeOneTenant, OF_ENVIRONMENT, protect } from './frozen/20261121120000-tenant-tables.js';

const TABLES = `
CREATE TABLE goal_conversions (
  workspace_id uuid NOT NULL, trip_id uuid NOT NULL, goal_id uuid NOT NULL, event_id uuid NOT NULL,
  environment text NOT NULL, entered_at timestamptz(3) NOT NULL, occurred_at timestamptz(3) NOT NULL,
  counts_trip boolean NOT NULL, counts_event boolean NOT NULL, recorded_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, trip_id, goal_id, event_id));
CREATE INDEX goal_conversions_trips ON goal_conversions (workspace_id, goal_id, environment, entered_at)
  WHERE counts_trip;
CREATE INDEX goal_conversions_events ON goal_conversions (workspace_id, goal_id, environment, occurred_at)
  WHERE counts_event;

-- An hour of UTC by its beginning: trips by the hour in which they started, events by the hour in which they occurred.
CREATE TABLE goal_hours (
  workspace_id uuid NOT NULL, environment text NOT NULL, goal_id uuid NOT NULL, hour timestamptz(3) NOT NULL,
  trips bigint NOT NULL, events bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, goal_id, hour)) WITH (fillfactor = 80);

-- An event looks for the newest trips of its contact within the window.
DROP INDEX trips_of_contact;
CREATE INDEX trips_of_contact ON trips (workspace_id, contact_id, flow_id, environment, started_at);
`;

const DOWN = `
DROP TABLE goal_conversions;
DROP TABLE goal_hours;
DROP INDEX trips_of_contact;
CREATE INDEX trips_of_contact ON trips (workspace_id, contact_id, flow_id, environment);
`;

const NEW_TABLES = ['goal_conversions', 'goal_hours'];

export class GoalConversions20261122114500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    for (const table of NEW_TABLES) await protect(runner, table, OF_ENVIRONMENT);
    await assumeOneTenant(runner, [], NEW_TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
