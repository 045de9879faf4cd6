/** Quality analysis: runs, what they found, marks on it, credits, overrides, pictures, and what addresses answered. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  DISPATCH_ROLE,
  OF_WORKSPACE,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const TABLES = `
CREATE TABLE inspect_jobs (
  workspace_id uuid NOT NULL, id uuid NOT NULL, environment text NOT NULL, template_id uuid NOT NULL,
  template_slug text NOT NULL, template_version integer NOT NULL, content jsonb, channel text NOT NULL, mode text NOT NULL,
  trigger text NOT NULL, subject_given boolean NOT NULL DEFAULT false, preheader text, contact_id uuid,
  contact_given boolean NOT NULL DEFAULT false, status text NOT NULL, progress smallint NOT NULL DEFAULT 0, score smallint, can_send boolean, summary jsonb, checks jsonb NOT NULL,
  credits_charged smallint NOT NULL, error text, attempts smallint NOT NULL DEFAULT 0, due_at timestamptz(3), worker integer,
  requested_by text NOT NULL, created_at timestamptz(3) NOT NULL, started_at timestamptz(3), completed_at timestamptz(3),
  PRIMARY KEY (workspace_id, id));
CREATE INDEX inspect_jobs_of_template ON inspect_jobs (workspace_id, template_id, created_at);
CREATE INDEX inspect_jobs_created ON inspect_jobs (workspace_id, created_at);
CREATE INDEX inspect_jobs_due ON inspect_jobs (workspace_id, mode, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX inspect_jobs_of_contact ON inspect_jobs (workspace_id, contact_id) WHERE contact_id IS NOT NULL;

CREATE TABLE inspect_findings (
  workspace_id uuid NOT NULL, id uuid NOT NULL, job_id uuid NOT NULL, template_id uuid NOT NULL, target text NOT NULL,
  code text NOT NULL, category text NOT NULL, severity text NOT NULL, place integer NOT NULL, message text NOT NULL,
  line integer, "column" integer, snippet text, clients jsonb NOT NULL, edits jsonb,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX inspect_findings_of_job ON inspect_findings (workspace_id, job_id, place);

-- What somebody said of a finding, which holds for it in every later run: it is known by template, code and target.
CREATE TABLE inspect_marks (
  workspace_id uuid NOT NULL, template_id uuid NOT NULL, code text NOT NULL, target text NOT NULL, status text NOT NULL,
  snoozed_until timestamptz(3), reason text, marked_by text NOT NULL, marked_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, template_id, code, target));

CREATE TABLE inspect_credit_entries (
  workspace_id uuid NOT NULL, id uuid NOT NULL, delta smallint NOT NULL, reason text NOT NULL, job_id uuid,
  template_id uuid NOT NULL, template_slug text NOT NULL, template_version integer NOT NULL, created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE INDEX inspect_credit_entries_created ON inspect_credit_entries (workspace_id, created_at);
CREATE INDEX inspect_credit_entries_of_version ON inspect_credit_entries (workspace_id, template_id, template_version);

-- How many credits of a month are used; the row of the month that is renewed in its middle begins anew.
CREATE TABLE inspect_credit_months (
  workspace_id uuid NOT NULL, month date NOT NULL, since timestamptz(3) NOT NULL, used integer NOT NULL,
  PRIMARY KEY (workspace_id, month));

CREATE TABLE inspect_configs (
  workspace_id uuid NOT NULL, render_clients jsonb NOT NULL, auto_run_on_save boolean NOT NULL, blocking text NOT NULL,
  spam_provider text NOT NULL, snoozed_codes jsonb NOT NULL, updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id));

CREATE TABLE inspect_overrides (
  workspace_id uuid NOT NULL, id uuid NOT NULL, token_hash text NOT NULL, template_id uuid NOT NULL,
  template_slug text NOT NULL, template_version integer NOT NULL, reason text NOT NULL, created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL, expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX inspect_overrides_token ON inspect_overrides (workspace_id, token_hash);

CREATE TABLE inspect_screenshots (
  workspace_id uuid NOT NULL, id uuid NOT NULL, job_id uuid NOT NULL, client text NOT NULL, scheme text NOT NULL,
  device text NOT NULL, width integer NOT NULL, height integer NOT NULL, media_type text NOT NULL, image bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE INDEX inspect_screenshots_of_job ON inspect_screenshots (workspace_id, job_id);

-- What an address answered, for an hour.
CREATE TABLE inspect_fetches (
  workspace_id uuid NOT NULL, kind text NOT NULL, address_hash text NOT NULL, outcome jsonb NOT NULL,
  fetched_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, kind, address_hash));
CREATE INDEX inspect_fetches_age ON inspect_fetches (workspace_id, fetched_at);
`;

const OF_TENANTS = [
  'inspect_jobs',
  'inspect_findings',
  'inspect_marks',
  'inspect_credit_entries',
  'inspect_credit_months',
  'inspect_configs',
  'inspect_overrides',
  'inspect_screenshots',
  'inspect_fetches',
];

export class QualityAnalysis20261125180000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    for (const table of OF_TENANTS) await protect(runner, table, OF_WORKSPACE);
    await runner.query(`
      GRANT SELECT (workspace_id, mode, due_at) ON inspect_jobs TO ${DISPATCH_ROLE};
      CREATE POLICY dispatch ON inspect_jobs FOR SELECT TO ${DISPATCH_ROLE} USING (true);
      GRANT SELECT (workspace_id, fetched_at) ON inspect_fetches TO ${DISPATCH_ROLE};
      CREATE POLICY dispatch ON inspect_fetches FOR SELECT TO ${DISPATCH_ROLE} USING (true);`);
    await assumeOneTenant(runner, OF_TENANTS, []);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${OF_TENANTS.join(', ')}`);
  }
}
