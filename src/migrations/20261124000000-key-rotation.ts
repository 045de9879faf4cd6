/** Keys that end at a moment, since another has taken their place; and when each key was used last. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assumeOneTenant, OF_WORKSPACE, protect } from './frozen/20261121120000-tenant-tables.js';

const USES = `
CREATE TABLE api_key_uses (
  workspace_id uuid NOT NULL, key_id uuid NOT NULL, last_used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, key_id));
`;

export class KeyRotation20261124000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys ADD COLUMN expires_at timestamptz(3)');
    await runner.query(USES);
    await protect(runner, 'api_key_uses', OF_WORKSPACE);
    await assumeOneTenant(runner, ['api_key_uses'], []);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE api_key_uses');
    await runner.query('ALTER TABLE api_keys DROP COLUMN expires_at');
  }
}
