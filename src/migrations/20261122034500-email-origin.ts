/**
 * A message in the ledger has an origin (a trip, a campaign, a request, another message, the product) instead of
 * columns that only trips could fill; what there is one message for is unique whatever the origin.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns are renamed and the constant default fills the new one, so that no row is rewritten: every message so far
 * was asked for by a trip. One that was not would have been written by hand, and becomes a request of its own. The
 * owner of the table is bound by its policies, so they are lifted for the moment.
 */
const UP = `
DROP INDEX email_logs_of_trip;
ALTER TABLE email_logs RENAME COLUMN flow_id TO source_id;
ALTER TABLE email_logs RENAME COLUMN trip_id TO origin_id;
ALTER TABLE email_logs RENAME COLUMN step TO origin_step;
ALTER TABLE email_logs ADD COLUMN origin text NOT NULL DEFAULT 'trip', NO FORCE ROW LEVEL SECURITY;
ALTER TABLE email_logs ALTER COLUMN origin DROP DEFAULT;
UPDATE email_logs SET origin = 'direct', origin_id = id, origin_step = 0 WHERE origin_id IS NULL OR origin_step IS NULL;
ALTER TABLE email_logs ALTER COLUMN origin_id SET NOT NULL, ALTER COLUMN origin_step SET NOT NULL,
  FORCE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX email_logs_of_origin ON email_logs (workspace_id, origin_id, origin_step, origin, contact_id);
`;

/** Messages of other origins become messages of no trip. */
const DOWN = `
DROP INDEX email_logs_of_origin;
ALTER TABLE email_logs ALTER COLUMN origin_id DROP NOT NULL, ALTER COLUMN origin_step DROP NOT NULL,
  NO FORCE ROW LEVEL SECURITY;
UPDATE email_logs SET source_id = NULL, origin_id = NULL, origin_step = NULL WHERE origin <> 'trip';
ALTER TABLE email_logs DROP COLUMN origin, FORCE ROW LEVEL SECURITY;
ALTER TABLE email_logs RENAME COLUMN origin_step TO step;
ALTER TABLE email_logs RENAME COLUMN origin_id TO trip_id;
ALTER TABLE email_logs RENAME COLUMN source_id TO flow_id;
CREATE UNIQUE INDEX email_logs_of_trip ON email_logs (workspace_id, trip_id, step) WHERE trip_id IS NOT NULL;
`;

export class EmailOrigin20261122034500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
