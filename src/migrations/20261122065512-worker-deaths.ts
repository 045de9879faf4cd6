/**
 * A row that kills the process which works on it comes to an end: processes say that they live, and after one has ended
 * without a word the others write down what they have in hand.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { APP_ROLE, assumeOneTenant, OF_ENVIRONMENT, protect } from './frozen/20261121120000-tenant-tables.js';

const UP = `
-- Which processes are at work, and which have ended without saying so; holds nothing of tenants.
CREATE TABLE process_lives (number bigint PRIMARY KEY, ended_at timestamptz(3));
GRANT SELECT, INSERT, UPDATE, DELETE ON process_lives TO ${APP_ROLE};

CREATE TABLE work_in_hand (
  workspace_id uuid NOT NULL, environment text NOT NULL, kind text NOT NULL, subject_id uuid NOT NULL,
  holder bigint, deaths integer NOT NULL, taken_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, environment, kind, subject_id));
`;

export class WorkerDeaths20261122065512 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
    await protect(runner, 'work_in_hand', OF_ENVIRONMENT);
    await assumeOneTenant(runner, [], ['work_in_hand']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE work_in_hand');
    await runner.query('DROP TABLE process_lives');
  }
}
