/**
 * Work that fails for good leaves its queue and stands in a list, from which people put it back. A row leaves by what
 * its queue is found by: an event counts as dealt with, a trip has no moment to resume at, and neither has a refresh.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  DISPATCH_ROLE,
  OF_ENVIRONMENT,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const UP = `
CREATE TABLE set_aside_work (
  workspace_id uuid NOT NULL, id uuid NOT NULL, environment text NOT NULL, kind text NOT NULL,
  subject_id uuid NOT NULL, code text NOT NULL, set_aside_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX set_aside_work_subject ON set_aside_work (workspace_id, kind, subject_id, environment);
ALTER TABLE segment_refreshes ALTER COLUMN refresh_at DROP NOT NULL;
`;

/** Set-aside refreshes become due. */
const DOWN = `
DROP TABLE set_aside_work;
ALTER TABLE segment_refreshes NO FORCE ROW LEVEL SECURITY;
UPDATE segment_refreshes SET refresh_at = now() WHERE refresh_at IS NULL;
ALTER TABLE segment_refreshes ALTER COLUMN refresh_at SET NOT NULL, FORCE ROW LEVEL SECURITY;
`;

export class SetAsideWork20261122042600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
    await protect(runner, 'set_aside_work', OF_ENVIRONMENT);
    // Retention passes over what was set aside; a key is named by its event.
    await runner.query(`GRANT SELECT (workspace_id, kind, subject_id) ON set_aside_work TO ${DISPATCH_ROLE}`);
    await runner.query(`GRANT SELECT (event_id) ON idempotency_keys TO ${DISPATCH_ROLE}`);
    await runner.query(
      `CREATE POLICY dispatch ON set_aside_work FOR SELECT TO ${DISPATCH_ROLE} USING (true)`,
    );
    await assumeOneTenant(runner, [], ['set_aside_work']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
    await runner.query(`REVOKE SELECT (event_id) ON idempotency_keys FROM ${DISPATCH_ROLE}`);
  }
}
