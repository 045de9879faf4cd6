/**
 * Lines belong to what the ledger calls a source, since campaigns will have theirs as well as flows. Messages that clocks
 * hold back are looked at again when what holds them back has changed, and a slot that a message of unknown fate may have
 * used stays used when the message is sent again.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  DISPATCH_ROLE,
  OF_ENVIRONMENT,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const UP = `
-- A change of the catalogue alone, however many lines there are.
ALTER TABLE send_lines RENAME COLUMN flow_id TO source_id;
COMMENT ON TABLE send_lines IS 'Lines in which messages of a throttled source wait for slots: the lock under which slots are given';
COMMENT ON COLUMN send_lines.source_id IS 'The flow or campaign, as email_logs.source_id';

CREATE TABLE spent_slots (
  workspace_id uuid NOT NULL, source_id uuid NOT NULL, environment text NOT NULL, used_at timestamptz(3) NOT NULL,
  email_log_id uuid NOT NULL, PRIMARY KEY (workspace_id, source_id, environment, used_at, email_log_id));
COMMENT ON TABLE spent_slots IS 'Slots of a source''s throttle that messages used before they were sent again: email_logs.slot_at has the last use alone';
COMMENT ON COLUMN spent_slots.source_id IS 'The flow or campaign, as email_logs.source_id';

CREATE TABLE send_reviews (
  workspace_id uuid NOT NULL, environment text NOT NULL, look_at timestamptz(3), after uuid,
  again boolean NOT NULL DEFAULT false, PRIMARY KEY (workspace_id, environment));
COMMENT ON TABLE send_reviews IS 'How far messages that clocks hold back have been looked at again since their rules have changed';

CREATE INDEX email_logs_held ON email_logs (workspace_id, environment, id)
  WHERE status = 'queued' AND waits_for IN ('send_window', 'do_not_disturb');
`;

const DOWN = `
DROP INDEX email_logs_held;
DROP TABLE send_reviews;
DROP TABLE spent_slots;
COMMENT ON COLUMN send_lines.source_id IS NULL;
COMMENT ON TABLE send_lines IS NULL;
ALTER TABLE send_lines RENAME COLUMN source_id TO flow_id;
`;

export class LinesOfSources20261122130000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
    for (const table of ['spent_slots', 'send_reviews']) await protect(runner, table, OF_ENVIRONMENT);
    await runner.query(
      `GRANT SELECT (workspace_id, environment, look_at) ON send_reviews TO ${DISPATCH_ROLE}`,
    );
    await runner.query(`CREATE POLICY dispatch ON send_reviews FOR SELECT TO ${DISPATCH_ROLE} USING (true)`);
    await assumeOneTenant(runner, [], ['spent_slots', 'send_reviews']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
