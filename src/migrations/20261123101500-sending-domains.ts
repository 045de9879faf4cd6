/** Domains of workspaces from which their mail goes, and the keys by which it is signed. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  DISPATCH_ROLE,
  OF_WORKSPACE,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const UP = `
CREATE TABLE sending_domains (
  workspace_id uuid NOT NULL, id uuid NOT NULL, domain text NOT NULL, token text NOT NULL, status text NOT NULL,
  status_since timestamptz(3) NOT NULL, is_held_elsewhere boolean NOT NULL DEFAULT false, verified_at timestamptz(3),
  findings jsonb NOT NULL DEFAULT '[]', checked_at timestamptz(3), check_at timestamptz(3),
  created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX sending_domains_own ON sending_domains (workspace_id, domain);
-- Of all workspaces one alone, whatever each of them can see.
CREATE UNIQUE INDEX sending_domains_held ON sending_domains (domain) WHERE status IN ('verified', 'failing');
CREATE INDEX sending_domains_due ON sending_domains (workspace_id, check_at) WHERE check_at IS NOT NULL;

CREATE TABLE dkim_keys (
  workspace_id uuid NOT NULL, id uuid NOT NULL, domain_id uuid NOT NULL, selector text NOT NULL,
  public_key text NOT NULL, sealed_private_key text NOT NULL, role text NOT NULL, retire_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE INDEX dkim_keys_of_domain ON dkim_keys (workspace_id, domain_id);
`;

const NEW_TABLES = ['sending_domains', 'dkim_keys'];

export class SendingDomains20261123101500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
    for (const table of NEW_TABLES) await protect(runner, table, OF_WORKSPACE);
    await runner.query(`GRANT SELECT (workspace_id, check_at) ON sending_domains TO ${DISPATCH_ROLE}`);
    await runner.query(
      `CREATE POLICY dispatch ON sending_domains FOR SELECT TO ${DISPATCH_ROLE} USING (true)`,
    );
    await runner.query(
      'CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON sending_domains FOR EACH ROW EXECUTE FUNCTION announce_change()',
    );
    await assumeOneTenant(runner, NEW_TABLES, []);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of NEW_TABLES) await runner.query(`DROP TABLE ${table}`);
  }
}
