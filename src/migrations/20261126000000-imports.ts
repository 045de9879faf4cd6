/** Migrations from other platforms and from files: files in pieces, jobs with their checkpoints, and what was wrong with rows. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  DISPATCH_ROLE,
  OF_ENVIRONMENT,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const TABLES = `
CREATE TABLE import_files (
  workspace_id uuid NOT NULL, environment text NOT NULL, id uuid NOT NULL, name text NOT NULL, is_ready boolean NOT NULL,
  format text, encoding text, separator text, size bigint NOT NULL DEFAULT 0, pieces integer NOT NULL DEFAULT 0,
  columns jsonb, sample jsonb, suggested_mapping jsonb, job_id uuid, created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL, expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE INDEX import_files_expiry ON import_files (workspace_id, environment, expires_at);

CREATE TABLE import_file_pieces (
  workspace_id uuid NOT NULL, environment text NOT NULL, file_id uuid NOT NULL, number integer NOT NULL, bytes bytea NOT NULL,
  PRIMARY KEY (workspace_id, file_id, number));

CREATE TABLE import_jobs (
  workspace_id uuid NOT NULL, environment text NOT NULL, id uuid NOT NULL, platform text NOT NULL, status text NOT NULL,
  config jsonb NOT NULL, credentials text, file_id uuid, dry_run boolean NOT NULL, plan text NOT NULL, cursor jsonb,
  imported integer NOT NULL DEFAULT 0, failed integer NOT NULL DEFAULT 0, total integer, percent_complete real NOT NULL DEFAULT 0,
  created_contacts integer NOT NULL DEFAULT 0, updated_contacts integer NOT NULL DEFAULT 0, unsubscribed integer NOT NULL DEFAULT 0,
  suppressed integer NOT NULL DEFAULT 0, errors_kept integer NOT NULL DEFAULT 0,
  rows_kept integer NOT NULL DEFAULT 0, error_code text, error_detail text,
  attempts smallint NOT NULL DEFAULT 0, worker integer, worked_ms bigint NOT NULL DEFAULT 0, due_at timestamptz(3), created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL, started_at timestamptz(3), completed_at timestamptz(3), forget_at timestamptz(3),
  PRIMARY KEY (workspace_id, id));
CREATE INDEX import_jobs_created ON import_jobs (workspace_id, environment, created_at, id);
CREATE INDEX import_jobs_due ON import_jobs (workspace_id, environment, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX import_jobs_forget ON import_jobs (workspace_id, environment, forget_at) WHERE forget_at IS NOT NULL;
CREATE INDEX import_jobs_of_file ON import_jobs (workspace_id, file_id) WHERE file_id IS NOT NULL;

CREATE TABLE import_errors (
  workspace_id uuid NOT NULL, environment text NOT NULL, job_id uuid NOT NULL, number integer NOT NULL, "row" integer NOT NULL,
  external_id text, code text NOT NULL, detail text NOT NULL,
  PRIMARY KEY (workspace_id, job_id, number));

-- What a dry run would do, row by row.
CREATE TABLE import_rows (
  workspace_id uuid NOT NULL, environment text NOT NULL, job_id uuid NOT NULL, number integer NOT NULL, "row" integer NOT NULL,
  external_id text, outcome text NOT NULL, updated_fields text NOT NULL, opts_out boolean NOT NULL, code text,
  PRIMARY KEY (workspace_id, job_id, number));

-- Contacts that a dry run has come across, so that it counts each as the real run would.
CREATE TABLE import_seen (
  workspace_id uuid NOT NULL, environment text NOT NULL, job_id uuid NOT NULL, key_hash bytea NOT NULL,
  PRIMARY KEY (workspace_id, job_id, key_hash));

-- What else a platform has, by name, so that people can plan.
CREATE TABLE import_findings (
  workspace_id uuid NOT NULL, environment text NOT NULL, job_id uuid NOT NULL, number integer NOT NULL, kind text NOT NULL,
  name text NOT NULL, detail text,
  PRIMARY KEY (workspace_id, job_id, number));
`;

const OF_TENANTS = [
  'import_files',
  'import_file_pieces',
  'import_jobs',
  'import_errors',
  'import_rows',
  'import_seen',
  'import_findings',
];

export class Imports20261126000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    for (const table of OF_TENANTS) await protect(runner, table, OF_ENVIRONMENT);
    await runner.query(`
      GRANT SELECT (workspace_id, environment, due_at, forget_at) ON import_jobs TO ${DISPATCH_ROLE};
      CREATE POLICY dispatch ON import_jobs FOR SELECT TO ${DISPATCH_ROLE} USING (true);
      GRANT SELECT (workspace_id, environment, expires_at) ON import_files TO ${DISPATCH_ROLE};
      CREATE POLICY dispatch ON import_files FOR SELECT TO ${DISPATCH_ROLE} USING (true);`);
    await assumeOneTenant(runner, [], OF_TENANTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${OF_TENANTS.join(', ')}`);
  }
}
