/** What payment providers tell, as it is worked on and kept; and what is known of each workspace's subscriptions. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  APP_ROLE,
  assumeOneTenant,
  DISPATCH_ROLE,
  OF_WORKSPACE,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const TABLES = `
CREATE TABLE billing_events (
  workspace_id uuid NOT NULL, id uuid NOT NULL, key text NOT NULL, source text NOT NULL, event jsonb NOT NULL,
  received_at timestamptz(3) NOT NULL, due_at timestamptz(3), processed_at timestamptz(3), failure text,
  PRIMARY KEY (workspace_id, id));
CREATE UNIQUE INDEX billing_events_of_key ON billing_events (workspace_id, key);
CREATE INDEX billing_events_due ON billing_events (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX billing_events_failed ON billing_events (received_at) WHERE failure IS NOT NULL;

-- Of no workspace that is known, or of none that can be read: of nobody until somebody replays it.
CREATE TABLE stray_billing_events (
  key text NOT NULL PRIMARY KEY, source text NOT NULL, body text NOT NULL, failure text NOT NULL,
  received_at timestamptz(3) NOT NULL);
CREATE INDEX stray_billing_events_received ON stray_billing_events (received_at);

CREATE TABLE subscriptions (
  workspace_id uuid NOT NULL, id text NOT NULL, customer_id text, standing text, standing_at timestamptz(3),
  plan text NOT NULL, plan_at timestamptz(3), renewed_at timestamptz(3), period_start timestamptz(3),
  period_end timestamptz(3),
  PRIMARY KEY (workspace_id, id));
CREATE INDEX subscriptions_by_id ON subscriptions (id);

-- Providers name a workspace by what they know it by.
CREATE INDEX workspaces_of_subscription ON workspaces (payment_subscription_id) WHERE payment_subscription_id IS NOT NULL;
CREATE INDEX workspaces_of_customer ON workspaces (payment_customer_id) WHERE payment_customer_id IS NOT NULL;
`;

const OF_TENANTS = ['billing_events', 'subscriptions'];

export class Billing20261124010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    for (const table of OF_TENANTS) await protect(runner, table, OF_WORKSPACE);
    await runner.query(`
      GRANT SELECT, INSERT, DELETE ON stray_billing_events TO ${APP_ROLE};
      GRANT SELECT (status) ON workspaces TO ${DISPATCH_ROLE};
      GRANT SELECT (workspace_id, id) ON subscriptions TO ${DISPATCH_ROLE};
      CREATE POLICY dispatch ON subscriptions FOR SELECT TO ${DISPATCH_ROLE} USING (true);
      GRANT SELECT (workspace_id, id, due_at, received_at, failure) ON billing_events TO ${DISPATCH_ROLE};
      CREATE POLICY dispatch ON billing_events FOR SELECT TO ${DISPATCH_ROLE} USING (true);`);
    await assumeOneTenant(runner, OF_TENANTS, []);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE billing_events, stray_billing_events, subscriptions');
    await runner.query(`REVOKE SELECT (status) ON workspaces FROM ${DISPATCH_ROLE}`);
    await runner.query('DROP INDEX workspaces_of_subscription, workspaces_of_customer');
  }
}
