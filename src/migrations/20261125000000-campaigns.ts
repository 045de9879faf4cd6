/** Campaigns, each sending of one, whom it is for, and what became of its messages in numbers. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  assumeOneTenant,
  DISPATCH_ROLE,
  READER_ROLE,
  OF_ENVIRONMENT,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const TABLES = `
CREATE TABLE campaigns (
  workspace_id uuid NOT NULL, environment text NOT NULL, id uuid NOT NULL, name text NOT NULL, subject text,
  template_id uuid, segment_id uuid, sender_name text, sender_email text, reply_to text, status text NOT NULL,
  ab_test jsonb, recurrence jsonb, scheduled_at timestamptz(3), scheduled_offset integer, local_time boolean NOT NULL DEFAULT false,
  max_per_hour integer, next_run_at timestamptz(3), paused_reason text, started_at timestamptz(3), completed_at timestamptz(3),
  audience_size integer, runs integer NOT NULL DEFAULT 0, created_by text NOT NULL, created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL, look_at timestamptz(3),
  PRIMARY KEY (workspace_id, id));
CREATE INDEX campaigns_created ON campaigns (workspace_id, environment, created_at, id);
CREATE INDEX campaigns_due ON campaigns (workspace_id, environment, look_at) WHERE look_at IS NOT NULL;

CREATE TABLE campaign_instances (
  workspace_id uuid NOT NULL, environment text NOT NULL, id uuid NOT NULL, campaign_id uuid NOT NULL, number integer NOT NULL,
  status text NOT NULL, scheduled_at timestamptz(3), started_at timestamptz(3) NOT NULL, completed_at timestamptz(3),
  content jsonb NOT NULL, timing jsonb NOT NULL, taken_to uuid, is_taken boolean NOT NULL DEFAULT false,
  audience integer NOT NULL DEFAULT 0, skipped integer NOT NULL DEFAULT 0, mailed integer NOT NULL DEFAULT 0,
  rest integer NOT NULL DEFAULT 0, delayed_ms bigint NOT NULL DEFAULT 0, paused_at timestamptz(3), sweep text, sweep_after uuid,
  winner smallint, decided_by text, decided_at timestamptz(3), rest_from timestamptz(3), goal_event text, goal_until timestamptz(3),
  paced_at timestamptz(3), paced integer NOT NULL DEFAULT 0, per_minute double precision,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX campaign_instances_of_campaign ON campaign_instances (workspace_id, campaign_id, number);
CREATE INDEX campaign_instances_goals ON campaign_instances (workspace_id, environment, goal_event) WHERE goal_event IS NOT NULL;

CREATE TABLE campaign_recipients (
  workspace_id uuid NOT NULL, environment text NOT NULL, instance_id uuid NOT NULL, contact_id uuid NOT NULL,
  skipped text, place integer, local_at timestamptz(3), variant smallint, is_rest boolean NOT NULL DEFAULT false,
  email_log_id uuid, converted_at timestamptz(3),
  PRIMARY KEY (workspace_id, instance_id, contact_id));
CREATE INDEX campaign_recipients_of_contact ON campaign_recipients (workspace_id, contact_id);
CREATE INDEX campaign_recipients_skipped ON campaign_recipients (workspace_id, instance_id, contact_id) WHERE skipped IS NOT NULL;
CREATE INDEX campaign_recipients_rest ON campaign_recipients (workspace_id, instance_id, contact_id) WHERE is_rest AND variant IS NULL;

CREATE TABLE campaign_tallies (
  workspace_id uuid NOT NULL, environment text NOT NULL, instance_id uuid NOT NULL, variant smallint NOT NULL,
  sent integer NOT NULL DEFAULT 0, failed integer NOT NULL DEFAULT 0, suppressed integer NOT NULL DEFAULT 0,
  cancelled integer NOT NULL DEFAULT 0, unknown integer NOT NULL DEFAULT 0, delivered integer NOT NULL DEFAULT 0,
  opened integer NOT NULL DEFAULT 0, clicked integer NOT NULL DEFAULT 0, bounced integer NOT NULL DEFAULT 0,
  spam_reports integer NOT NULL DEFAULT 0, unsubscribed integer NOT NULL DEFAULT 0, machine_opened integer NOT NULL DEFAULT 0,
  machine_clicked integer NOT NULL DEFAULT 0, in_test integer NOT NULL DEFAULT 0, conversions integer NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, instance_id, variant));

-- What stops a campaign from outside of it, told in the transaction that found it, and worked on behind it.
CREATE TABLE campaign_signals (
  workspace_id uuid NOT NULL, environment text NOT NULL, campaign_id uuid NOT NULL, reason text NOT NULL,
  PRIMARY KEY (workspace_id, campaign_id, reason));
`;

const OF_TENANTS = [
  'campaigns',
  'campaign_instances',
  'campaign_recipients',
  'campaign_tallies',
  'campaign_signals',
];

export class Campaigns20261125000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    for (const table of OF_TENANTS) await protect(runner, table, OF_ENVIRONMENT);
    await runner.query(`
      GRANT SELECT (workspace_id, environment, look_at) ON campaigns TO ${DISPATCH_ROLE};
      CREATE POLICY dispatch ON campaigns FOR SELECT TO ${DISPATCH_ROLE} USING (true);
      GRANT SELECT (workspace_id, environment) ON campaign_signals TO ${DISPATCH_ROLE};
      CREATE POLICY dispatch ON campaign_signals FOR SELECT TO ${DISPATCH_ROLE} USING (true);
      GRANT SELECT ON campaigns TO ${READER_ROLE};
      CREATE POLICY reader ON campaigns FOR SELECT TO ${READER_ROLE} USING (true);`);
    await assumeOneTenant(runner, [], OF_TENANTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${OF_TENANTS.join(', ')}`);
  }
}
