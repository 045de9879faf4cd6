/**
 * What people choose of promotional mail: a workspace's topics, of which templates name one, what contacts have chosen, and
 * every change of it, which the service can add and read and nothing else.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  APP_ROLE,
  assumeOneTenant,
  OF_ENVIRONMENT,
  OF_WORKSPACE,
  protect,
} from './frozen/20261121120000-tenant-tables.js';

const TABLES = `
CREATE TABLE topics (
  workspace_id uuid NOT NULL, key text NOT NULL, name text NOT NULL, description text NOT NULL,
  names jsonb NOT NULL DEFAULT '{}', descriptions jsonb NOT NULL DEFAULT '{}', subscribed_by_default boolean NOT NULL,
  is_archived boolean NOT NULL DEFAULT false, created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, key));
ALTER TABLE templates ADD COLUMN topic text;

CREATE TABLE contact_preferences (
  workspace_id uuid NOT NULL, environment text NOT NULL, contact_id uuid NOT NULL,
  choices jsonb NOT NULL DEFAULT '{}', paused_until timestamptz(3), updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, environment, contact_id));

CREATE TABLE preference_changes (
  workspace_id uuid NOT NULL, id uuid NOT NULL, environment text NOT NULL, contact_id uuid NOT NULL,
  kind text NOT NULL, topic text, until timestamptz(3), way text NOT NULL, message_id uuid, actor text,
  changed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id));
CREATE INDEX preference_changes_of_contact ON preference_changes (workspace_id, environment, contact_id, id);
`;

export class Preferences20261123103000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await protect(runner, 'topics', OF_WORKSPACE);
    await protect(runner, 'contact_preferences', OF_ENVIRONMENT);
    await protect(runner, 'preference_changes', OF_ENVIRONMENT);
    await runner.query(`REVOKE UPDATE, DELETE ON preference_changes FROM ${APP_ROLE}`);
    await assumeOneTenant(runner, ['topics'], ['contact_preferences', 'preference_changes']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE preference_changes;
      DROP TABLE contact_preferences;
      ALTER TABLE templates DROP COLUMN topic;
      DROP TABLE topics;`);
  }
}
