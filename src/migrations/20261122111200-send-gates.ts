/**
 * Messages may be held back: by a send window, by hours of rest, by a cap, or in the line of their flow's throttle. And
 * one that is called off while it is being sent is not tried again.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  DISPATCH_ROLE,
  OF_ENVIRONMENT,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const UP = `
ALTER TABLE email_logs
  ADD COLUMN counts boolean NOT NULL DEFAULT false,
  ADD COLUMN waits_for text,
  ADD COLUMN held_until timestamptz(3),
  ADD COLUMN has_slot boolean NOT NULL DEFAULT false,
  ADD COLUMN slot_at timestamptz(3),
  ADD COLUMN called_off boolean NOT NULL DEFAULT false,
  ADD COLUMN insisted boolean NOT NULL DEFAULT false;
CREATE INDEX email_logs_counted ON email_logs (workspace_id, contact_id, environment, updated_at) WHERE counts;
CREATE INDEX email_logs_in_line ON email_logs (workspace_id, source_id, environment, id)
  WHERE status = 'queued' AND waits_for = 'throttle';
CREATE INDEX email_logs_with_slot ON email_logs (workspace_id, source_id, environment)
  WHERE has_slot AND status IN ('queued', 'sending');
CREATE INDEX email_logs_slots ON email_logs (workspace_id, source_id, environment, slot_at) WHERE slot_at IS NOT NULL;

CREATE TABLE send_lines (
  workspace_id uuid NOT NULL, flow_id uuid NOT NULL, environment text NOT NULL, look_at timestamptz(3),
  opens_at timestamptz(3), places integer NOT NULL DEFAULT 0, places_of text NOT NULL DEFAULT '',
  PRIMARY KEY (workspace_id, flow_id, environment));
CREATE INDEX send_lines_due ON send_lines (workspace_id, environment, look_at) WHERE look_at IS NOT NULL;
`;

const DOWN = `
DROP TABLE send_lines;
-- Whoever waits in a line has no other moment.
ALTER TABLE email_logs NO FORCE ROW LEVEL SECURITY;
UPDATE email_logs SET next_attempt_at = updated_at WHERE status = 'queued' AND waits_for = 'throttle';
ALTER TABLE email_logs FORCE ROW LEVEL SECURITY;
DROP INDEX email_logs_counted, email_logs_in_line, email_logs_with_slot, email_logs_slots;
ALTER TABLE email_logs DROP COLUMN counts, DROP COLUMN waits_for, DROP COLUMN held_until, DROP COLUMN has_slot,
  DROP COLUMN slot_at, DROP COLUMN called_off, DROP COLUMN insisted;
`;

export class SendGates20261122111200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
    await protect(runner, 'send_lines', OF_ENVIRONMENT);
    await runner.query(`GRANT SELECT (workspace_id, environment, look_at) ON send_lines TO ${DISPATCH_ROLE}`);
    await runner.query(`CREATE POLICY dispatch ON send_lines FOR SELECT TO ${DISPATCH_ROLE} USING (true)`);
    await assumeOneTenant(runner, [], ['send_lines']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
