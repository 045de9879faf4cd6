/** Of each message the transport that its last attempt was made by. Adds no value, so that no row is rewritten. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Transports20261123130000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE email_logs ADD COLUMN transport text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE email_logs DROP COLUMN transport');
  }
}
