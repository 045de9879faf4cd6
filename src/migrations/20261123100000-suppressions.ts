/** Addresses that no mail goes to: those that mail came back from for good, that complained, that people have named. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assumeOneTenant, OF_ENVIRONMENT, protect } from './frozen/20261121120000-tenant-tables.js';

const TABLES = `
CREATE TABLE suppressions (
  workspace_id uuid NOT NULL, id uuid NOT NULL, environment text NOT NULL, address text, digest bytea,
  reason text NOT NULL, since timestamptz(3) NOT NULL, added_by text NOT NULL, note text, email_log_id uuid,
  contact_id uuid, removed_at timestamptz(3), history jsonb NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX suppressions_of_address ON suppressions (workspace_id, environment, address) WHERE address IS NOT NULL;
CREATE UNIQUE INDEX suppressions_of_digest ON suppressions (workspace_id, environment, digest) WHERE digest IS NOT NULL;
CREATE INDEX suppressions_of_contact ON suppressions (workspace_id, contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX suppressions_listed ON suppressions (workspace_id, environment, since, id);
`;

export class Suppressions20261123100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await protect(runner, 'suppressions', OF_ENVIRONMENT);
    await assumeOneTenant(runner, [], ['suppressions']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE suppressions');
  }
}
