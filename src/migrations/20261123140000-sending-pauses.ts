/** Promotional mail that stops by itself: figures of what came back of it, how it stands, and every pause of it. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assumeOneTenant, OF_ENVIRONMENT, protect } from './frozen/20261121120000-tenant-tables.js';

const TABLES = `
CREATE TABLE sending_figures (
  workspace_id uuid NOT NULL, environment text NOT NULL, since timestamptz(3) NOT NULL, sent bigint NOT NULL,
  bounced bigint NOT NULL, complained bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, since)) WITH (fillfactor = 50);

CREATE TABLE sending_standings (
  workspace_id uuid NOT NULL, environment text NOT NULL, counts_since timestamptz(3) NOT NULL, judged_at timestamptz(3),
  paused_at timestamptz(3), releasing timestamptz(3),
  PRIMARY KEY (workspace_id, environment)) WITH (fillfactor = 50);

CREATE TABLE sending_pauses (
  workspace_id uuid NOT NULL, id uuid NOT NULL, environment text NOT NULL, reason text NOT NULL,
  paused_at timestamptz(3) NOT NULL, sent bigint NOT NULL, bounced bigint NOT NULL, complained bigint NOT NULL,
  resumed_at timestamptz(3), resumed_by text, note text,
  PRIMARY KEY (workspace_id, id));
CREATE INDEX sending_pauses_listed ON sending_pauses (workspace_id, environment, paused_at);
`;

const NEW_TABLES = ['sending_figures', 'sending_standings', 'sending_pauses'];

export class SendingPauses20261123140000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    for (const table of NEW_TABLES) await protect(runner, table, OF_ENVIRONMENT);
    await assumeOneTenant(runner, [], NEW_TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of NEW_TABLES) await runner.query(`DROP TABLE ${table}`);
  }
}
