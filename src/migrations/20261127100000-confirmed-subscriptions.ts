/**
 * Records which subscriptions are confirmed as the workspace's own, and the plan that the operator gave it. Nobody knows who
 * bought the subscriptions of the second provider, so they become unconfirmed until the owner confirms them. A workspace that
 * one of them has suspended becomes active.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = `
ALTER TABLE workspaces ADD COLUMN granted_plan text;
ALTER TABLE subscriptions ADD COLUMN confirmed_by text;
`;

const CONFIRMED = `
UPDATE subscriptions s SET confirmed_by = 'link' WHERE NOT EXISTS (
  SELECT 1 FROM billing_events e
  WHERE e.workspace_id = s.workspace_id AND e.source = 'billing' AND e.event->>'subscription_id' = s.id);
UPDATE workspaces w SET status = 'active', suspended_reason = NULL, updated_at = now()
WHERE status = 'suspended' AND suspended_reason = 'subscription_paused' AND EXISTS (
  SELECT 1 FROM subscriptions s
  WHERE s.workspace_id = w.id AND s.id = w.payment_subscription_id AND s.confirmed_by IS NULL);
`;

const TABLES = ['workspaces', 'subscriptions', 'billing_events'];

export class ConfirmedSubscriptions20261127100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
    // The owner of the tables is bound by their policies, so they are lifted for the moment.
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
    await runner.query(CONFIRMED);
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE subscriptions DROP COLUMN confirmed_by');
    await runner.query('ALTER TABLE workspaces DROP COLUMN granted_plan');
  }
}
