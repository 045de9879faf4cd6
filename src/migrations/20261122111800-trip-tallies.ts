/**
 * How many trips each flow has had, in all and by hour, kept as trips start and end: lists of flows and conversion
 * rates ask for it, and counting the trips themselves would read millions of rows. Counts those that there are. A
 * flow's trips get indexes of their own, for their list, for a part of an hour, and for those that are under way.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assumeOneTenant, OF_ENVIRONMENT, protect } from './frozen/20261121120000-tenant-tables.js';

const COUNTS = `started bigint NOT NULL, completed bigint NOT NULL, terminated bigint NOT NULL, failed bigint NOT NULL`;

const TABLES = `
CREATE TABLE trip_tallies (
  workspace_id uuid NOT NULL, environment text NOT NULL, flow_id uuid NOT NULL, ${COUNTS},
  PRIMARY KEY (workspace_id, environment, flow_id)) WITH (fillfactor = 50);

-- An hour of UTC by its beginning.
CREATE TABLE trip_hours (
  workspace_id uuid NOT NULL, environment text NOT NULL, flow_id uuid NOT NULL, hour timestamptz(3) NOT NULL, ${COUNTS},
  PRIMARY KEY (workspace_id, environment, flow_id, hour)) WITH (fillfactor = 80);

CREATE INDEX trips_of_flow ON trips (workspace_id, flow_id, environment, started_at);
CREATE INDEX trips_under_way ON trips (workspace_id, flow_id, environment) WHERE completed_at IS NULL;
`;

/** The owner of the tables is bound by their policies, so they are lifted for the moment. */
const FILL = `
ALTER TABLE trips NO FORCE ROW LEVEL SECURITY;
WITH changes AS (
  SELECT workspace_id, environment, flow_id, started_at AS at, 1 AS started, 0 AS completed, 0 AS terminated, 0 AS failed
  FROM trips
  UNION ALL
  SELECT workspace_id, environment, flow_id, completed_at, 0, (status = 'completed')::int,
    (status IN ('stopped', 'terminated'))::int, (status = 'failed')::int
  FROM trips WHERE completed_at IS NOT NULL)
INSERT INTO trip_hours SELECT workspace_id, environment, flow_id, date_trunc('hour', at, 'UTC'),
  sum(started), sum(completed), sum(terminated), sum(failed) FROM changes GROUP BY 1, 2, 3, 4;
INSERT INTO trip_tallies SELECT workspace_id, environment, flow_id,
  sum(started), sum(completed), sum(terminated), sum(failed) FROM trip_hours GROUP BY 1, 2, 3;
ALTER TABLE trips FORCE ROW LEVEL SECURITY;
`;

const NEW_TABLES = ['trip_tallies', 'trip_hours'];

export class TripTallies20261122111800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(FILL);
    for (const table of NEW_TABLES) await protect(runner, table, OF_ENVIRONMENT);
    await assumeOneTenant(runner, [], NEW_TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX trips_of_flow, trips_under_way');
    for (const table of NEW_TABLES) await runner.query(`DROP TABLE ${table}`);
  }
}
